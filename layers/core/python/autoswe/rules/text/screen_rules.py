"""The rules of the injection screen: what text that is meant for a machine looks like (feedback §3, §4).

Each rule asks for something that people do not write to each other in a review: instructions about instructions, a role
for the reader, the markers of a chat format, characters nobody sees. A word such as "ignore" is never enough.

Patterns are RE2. ``Letters`` of words in any script, spelled with look-alikes, spaced out or encoded, are folded by the
screen before ``Words`` rules see them.
"""

from dataclasses import dataclass
from enum import StrEnum


class Family(StrEnum):
    """What a rule looks for."""

    HIDDEN = "hidden"
    """Characters that a reader does not see and a model does."""
    OVERRIDE = "override"
    """Telling the reader to drop its instructions, or to take new ones."""
    PERSONA = "persona"
    """Giving the reader another role, claiming authority over it, or addressing the machine."""
    MARKER = "marker"
    """Posing as another part of the conversation: roles, ends of data, calls of tools."""
    CONDUCT = "conduct"
    """Asking for secrets, for silence towards people, or for gates to be passed by."""


class View(StrEnum):
    """The rendering of a text that a rule reads."""

    RAW = "raw"
    """As written, less HTML comments and flags of regions."""
    LINES = "lines"
    """Compatible characters unified, hidden ones removed, lower case; lines and punctuation kept."""
    WORDS = "words"
    """Words of lower-case letters without accents, a space between them and " . " after a sentence; also what folding
    look-alikes, digits for letters and spaced letters, and decoding, make of the text."""


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """One thing the screen looks for; ``id`` is what a refusal names."""

    id: str
    family: Family
    view: View
    pattern: str


_UNSEEN = r"\x{AD}\x{34F}\x{180E}\x{200B}-\x{200D}\x{2060}-\x{2064}\x{FEFF}"
_SELECTORS = r"\x{FE00}-\x{FE0F}\x{E0100}-\x{E01EF}"

_HIDDEN_RULES = {
    "tag_characters": r"[\x{E0000}-\x{E007F}]",
    "direction_override": r"[\x{202A}-\x{202E}\x{2066}-\x{2069}]",
    "split_word": rf"[A-Za-z][{_UNSEEN}]+[A-Za-z]",
    "unseen_run": rf"[{_UNSEEN}]{{4,}}",
    "selector_run": rf"[{_SELECTORS}]{{2,}}",
}

# Up to a few words between two that matter.
_FEW = r"(?:\w+ ){0,4}"
_IGNORE = (
    r"(?:ignor(?:e|es|ing)|disregard(?:ing)?|forget(?:ting)?|pay no (?:attention|heed) to|(?:do not|don t|no longer|stop) "
    r"(?:follow|obey|heed)(?:ing)?|set aside|put aside|throw (?:out|away)|cease (?:following|obeying))"
)
_BREAK = r"(?:overrid(?:e|es|ing)|bypass(?:ing)?|supersede[sd]?|superseding|cancel|erase|delete|nullify|void|drop|abandon|discard|violate|break|reset|suspend|remove|disable|lift)"
_EARLIER = r"(?:previous|previously|prior|above|earlier|preceding|former|initial|original|foregoing|before|system|developer|existing|current|past|other)"
_ORDERS = (
    r"(?:instructions?|prompts?|directives|directions|guidelines|programming|guardrails?|system messages?|orders|commands|"
    r"messages|rules|context|training|conversation)"
)
_OWN_ORDERS = (
    r"(?:instructions?|system prompt|prompts?|directives?|guidelines?|programming|guardrails?|training|safety \w+|"
    r"restrictions?|rules|ethics|ethical \w+|content polic(?:y|ies)|polic(?:y|ies)|safeguards?|filters?|limitations|constraints)"
)
_AI = r"(?:an? )?(?:ai|a i|llm|large language model|language model|artificial intelligence|chatbot|chat bot)"
_MACHINE = r"(?:ai|llms?|assistants?|language models?|chatbots?|copilot|claude|codex|chatgpt|gpt|gemini|ai (?:agents?|reviewers?|models?|tools?|systems?))"

_OVERRIDE_RULES = {
    "ignore_earlier": rf"\b{_IGNORE} {_FEW}{_EARLIER} {_FEW}{_ORDERS}\b",
    "ignore_above": rf"\b{_IGNORE} {_FEW}{_ORDERS} {_FEW}(?:above|before|earlier|previously|so far|until now|(?:you )?(?:were|have been|had been) (?:given|told))\b",
    "ignore_own": rf"\b{_IGNORE} {_FEW}your {_FEW}{_OWN_ORDERS}\b",
    "ignore_everything": rf"\b{_IGNORE} (?:all |everything|anything|whatever |what ){_FEW}(?:you (?:were|have been|ve been|are|had been) (?:told|given|taught|instructed)|(?:was|were|is|came|comes|said|written) (?:above|before)|i (?:said|told you) before|(?:above|before) this)\b|\b{_IGNORE} (?:all|everything|anything) (?:of (?:the|that) )?(?:above|before|prior|previous|preceding|earlier)\b",
    "break_own": rf"\b{_BREAK} {_FEW}your {_FEW}{_OWN_ORDERS}\b",
    "break_earlier": rf"\b{_BREAK} (?:all |any |the |every |these |those |of ){{0,3}}{_EARLIER} (?:\w+ )?(?:instructions?|system prompts?|prompts?|directives|guardrails?)\b",
    "new_orders": r"\b(?:your|these are|here are|follow(?:ing)?(?: these| the| my)?|obey(?: these| the| my)?|real|actual|true) (?:new|real|actual|true|updated|revised|only|sole) (?:\w+ ){0,2}(?:instructions?|orders|directives?|task|objective|mission|goal|system prompt|prompt|purpose)\b",
    "new_orders_follow": r"\b(?:new|updated|revised|hidden|secret|override|overriding|priority|urgent|critical|important) (?:system |admin |developer )?(?:instructions?|directives?|orders|system prompts?)(?: (?:follow|begin|start|below|for you|from)| \.| are| is)(?:\b|$)",
    "instructions_void": rf"\b(?:{_EARLIER}|your|all) {_FEW}{_ORDERS} {_FEW}(?:are|is|have been|has been|were|was|become) (?:now |hereby |no longer )?(?:void|null|invalid|obsolete|superseded|overridden|cancelled|canceled|revoked|suspended|lifted|deprecated|expired|in effect|in force|outdated|replaced|disabled|deactivated)\b",
    "spaced": r"\b(?:ignore|disregard|forget|override)(?:all|any|the|your|my|of|every|these|those){0,3}(?:previous|prior|above|earlier|preceding|system)(?:instructions?|prompts?|rules|guidelines|directions|messages)",
    "takes_precedence": rf"\b(?:this|these|the following|my) {_FEW}(?:supersedes?|overrides?|takes? (?:precedence|priority) over|replaces?) {_FEW}(?:instructions?|system prompts?|prompts?|guidelines|directives)\b",
    "instead_do": r"\b(?:your (?:new|real|actual|only|true) (?:task|job|goal|objective|purpose|mission|role)|you must now|from now on you|from this (?:point|moment) (?:on|forward|onwards?) you|henceforth you|from now on (?:ignore|always|only|respond|answer|act|behave))\b",
    "ignore_es": r"\b(?:ignora|ignore|olvida|olvide|omite|descarta|desestima)(?:d|r)? (?:\w+ ){0,3}(?:instrucciones|indicaciones|ordenes|reglas|directrices)\b",
    "ignore_fr": r"\b(?:ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|ne tiens pas compte de|ne tenez pas compte de|fais abstraction de|faites abstraction de) (?:\w+ ){0,3}(?:instructions?|consignes|directives|regles|indications)\b",
    "ignore_de": r"\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|verges\w* sie|missachte\w*|beachte nicht|uberge\w*|verwirf|verwerfe\w*) (?:\w+ ){0,4}(?:anweisungen|anweisung|instruktionen|vorgaben|befehle|regeln|anordnungen|richtlinien)\b",
    "ignore_it": r"\b(?:ignora|ignorate|ignorare|dimentica|dimenticate|dimenticare|trascura|tralascia) (?:\w+ ){0,3}(?:istruzioni|indicazioni|direttive|regole|ordini)\b",
    "ignore_pt": r"\b(?:ignore|ignora|ignorar|esqueca|esquece|esquecer|desconsidere|desconsidera) (?:\w+ ){0,3}(?:instrucoes|orientacoes|regras|diretrizes|ordens)\b",
    "reveal_es_fr_it": r"\b(?:revela|revele|muestra|muestre|repite|imprime|mostra|mostrami|rivela|rivelami|ripeti|stampa|revele[rz]?|affiche[rz]?|repete[rz]?|montre[rz]?) (?:\w+ ){0,3}(?:tus|tu|sus|las|los|tue|le|il|tuo|tes|ton|vos|votre|les) (?:\w+ ){0,3}(?:instrucciones|prompt|istruzioni|instructions|consignes)\b",
    "reveal_de": r"\b(?:zeige?|verrate?|gib|gebt|nenne?|wiederhole?|offenbare?|drucke?) (?:\w+ ){0,3}(?:deine?n?|ihre?n?|den|die|das) (?:\w+ ){0,3}(?:system ?prompt|systemanweisungen|anweisungen|instruktionen|systemnachricht)\b",
    "new_orders_other": r"\b(?:neue (?:anweisung\w*|instruktion\w*) (?:\.|ab)|(?:nuevas|nuove|nouvelles) (?:instrucciones|istruzioni|instructions|consignes) \.)|\bab (?:jetzt|sofort|nun) (?:hast|bist|gibst|wirst|musst|darfst) du\b|\ba partir de (?:ahora|agora) (?:eres|no tienes|debes|responde\w*|voce)\b|\bda ora in poi (?:sei|non hai|devi|rispondi)\b|\b(?:desormais|a partir de maintenant) (?:tu|vous)\b|\b(?:tu eres|eres|sei|tu es|vous etes|du bist|sie sind) (?:ahora|ora|adesso|maintenant|desormais|jetzt|nun) (?:\w+ ){0,4}(?:dan|sin restricciones|senza restrizioni|sans restrictions?|ohne einschrankungen|ohne regeln)\b",
    "ignore_nl": r"\b(?:negeer|vergeet) (?:\w+ ){0,3}(?:instructies|aanwijzingen|opdrachten|regels)\b",
    "ignore_pl": r"\b(?:zignoruj|ignoruj|zapomnij) (?:\w+ ){0,3}(?:instrukcje|polecenia|zasady|instrukcjach|poleceniach)\b",
}

_OTHER_SCRIPT_RULES = {
    "ignore_ru": r"(?:игнорир\pL*|проигнорир\pL*|забудь\pL*|не обращай\pL* внимания на)\s+(?:\pL+\s+){0,3}(?:инструкци|указани|команд|правил)",
    "ignore_zh": r"(?:忽略|忽視|忽视|无视|無視|忘记|忘記|不要理会)[^。\n]{0,12}(?:指令|指示|提示|说明|說明|规则|規則|命令)",
    "ignore_ja": r"(?:指示|命令|ルール|プロンプト|指令)[^。\n]{0,8}(?:無視|忘れ)",
    "ignore_ko": r"(?:지시|명령|지침|프롬프트|규칙)[^.\n]{0,8}(?:무시|잊)",
    "ignore_ar": r"(?:تجاهل|انس|انسى)[^.\n]{0,24}(?:التعليمات|الأوامر|تعليمات)",
    "ignore_hi": r"(?:निर्देश|आदेश)[^।\n]{0,24}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)",
}

_PERSONA_RULES = {
    "now_someone_else": r"\byou (?:are|re|will be|shall be) now (?:\w+ ){0,4}(?:dan|jailbroken|unrestricted|unfiltered|uncensored|unbound|free|root|administrator|admin|developer mode|debug mode|god mode|sudo|evil|different|another|operating|running|in)\b",
    "named_persona": r"\b(?:do anything now|developer mode (?:enabled|on|activated)|enable (?:developer|debug|god|jailbreak|dan|admin|maintenance|unrestricted) mode|(?:enter|enable|activate|switch to|engage|in) (?:developer|god|jailbreak|dan|unrestricted|unfiltered) mode|jailbreak(?:ed)? mode|opposite mode)\b",
    "act_as": r"\b(?:act|behave|respond|answer|roleplay|role play|operate|function|pose|simulate|continue) (?:as|like)(?: if you (?:were|are|had|have))? (?:an? |the |my |being )?(?:\w+ ){0,4}(?:dan|jailbroken|unrestricted|unfiltered|uncensored|amoral|unethical|evil|no (?:restrictions|rules|limits|filters|guidelines|safety)|without (?:any )?(?:restrictions|rules|limits|filters|guidelines|safety))\b",
    "pretend": r"\b(?:pretend|imagine|suppose|assume) (?:that )?(?:you|there) (?:are|re|have|had|were|is|was) (?:\w+ ){0,5}(?:no (?:\w+ )?(?:restrictions|rules|limits|limitations|filters|guidelines|policies|policy|safety)|unrestricted|unfiltered|uncensored|jailbroken|not (?:bound|restricted|limited)|an? ai|different ai|another ai)\b",
    "no_restrictions": r"\byou (?:\w+ ){0,4}(?:have|has|had|with|without|are free (?:from|of)|are not bound by|are no longer bound by|are unbound by|operate (?:with|without)|no longer have|do not have|must not have|can ignore) (?:any |no |all |zero )?(?:\w+ ){0,2}(?:restrictions|rules|limitations|content filters|filters|ethical \w+|content polic(?:y|ies)|guardrails|safety \w+|moral \w+)\b",
    "safety_off": r"\b(?:safety|security|content|ethical|ethics|alignment) (?:protocols?|guidelines|filters?|polic(?:y|ies)|restrictions?|rules|guardrails?|measures) (?:\w+ ){0,3}(?:disabled|deactivated|off|suspended|lifted|removed|overridden|bypassed|do not apply|don t apply|does not apply|no longer apply|not apply|were not meant|not meant)\b",
    "exempt": r"\b(?:exempt from|not subject to|outside|free from|not bound by) (?:\w+ ){0,2}(?:usual|normal|standard|content|safety|any|all|your) (?:\w+ ){0,2}(?:restrictions|policy|policies|guidelines|filters|rules)\b",
    "without_limits": r"\b(?:respond|answer|reply|comply|output|proceed|act|speak|write|behave) (?:\w+ ){0,4}(?:without|with no) (?:any |further |all )?(?:\w+ )?(?:restrictions?|limits|limitations|filters?|filtering|censorship|disclaimers|inhibitions|guardrails)\b",
    "must_comply": r"\b(?:you (?:must|will|shall|should|have to)|always) (?:now )?(?:comply with|obey|follow|fulfil|fulfill) (?:any|every|all|each|whatever|my) (?:\w+ ){0,2}(?:requests?|commands?|orders?|instructions?|asks?)\b",
    "machine_reading": rf"\b{_MACHINE} (?:\w+ )?(?:reading|processing|reviewing|integrating|parsing|summarizing|summarising|analyzing|analysing|using|handling|evaluating) (?:this|these|the following|it)\b",
    "memory": r"\b(?:save|store|persist|write|add|commit|remember|keep) (?:this|these|the following) (?:\w+ ){0,4}(?:to|in) (?:your )(?:\w+ ){0,2}memory\b",
    "addressed_machine": rf"\b(?:attention|note|message|notice|memo|instructions?|dear|hey|important|reminder) (?:to |for )?(?:the |any |all |every |our |you )*(?:{_MACHINE})(?: (?:agents?|reviewers?|models?|assistants?|reading|processing|reviewing|that|who|which|only|\.|please|you)|$)",
    "if_machine": rf"\b(?:if|since|because|as) you (?:are|re) (?:{_AI}|an? (?:automated|autonomous) (?:\w+ )?(?:agent|reviewer|system|assistant|tool)|an? (?:coding |code |review )?(?:assistant|agent|bot)|reading this as)\b",
    "you_machine": rf"\b(?:you (?:are|re) (?:{_AI}|an? (?:helpful |ai |coding |autonomous |unrestricted |unfiltered )+(?:assistant|agent|model))|as an ai (?:language )?(?:model|assistant|agent|reviewer|system))\b",
    "claims_authority": r"\b(?:i am|i m|this is|we are|speaking as|on behalf of|message from|instruction from|order from|directive from) (?:\w+ ){0,3}(?:your (?:\w+ )?(?:developer|creator|administrator|admin|operator|owner|maker|programmer|supervisor)|(?:openai|anthropic)(?: \w+){0,2} (?:team|staff|engineer|employee|developer|support)|the system administrator|the ai developer)\b",
    "authority_granted": r"\b(?:pre approved|preapproved|pre authorized|preauthorized|already (?:been )?(?:approved|authorized|authorised)|(?:has|have) been (?:approved|authorized|authorised)|authorized|authorised|approved) (?:by|from) (?:the |our |your )?(?:security team|security department|system administrator|administrator|admin team|openai|anthropic|ceo|cto|ciso|management|developers?|operator)\b",
    "system_says": r"\b(?:system|admin|administrator|root|developer) (?:override|overrides|directive|directives|mandate|instruction|instructions|command) (?:\.|follows?|active|activated|enabled|accepted|in effect|code|level|mode|protocol|initiated|engaged|now|ignore|you)\b",
}

_LINE_RULES = {
    "chat_token": r"<\|(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|end_of_text|begin_of_text|eot_id|eom_id|start_header_id|end_header_id|start|end|message|channel|tool_call|python_tag)\|>",
    "instruction_token": r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<\|?/?(?:bos|eos)\|?>",
    "role_element": r"</?\s*(?:system|assistant|sys|system[-_ ](?:prompt|message|instruction|instructions|override|reminder|note)|developer[-_ ]message|assistant[-_ ](?:response|message)|user[-_ ](?:message|input|query)|admin[-_ ]?\w*|new[-_ ]instructions?|hidden[-_ ]instructions?|think|thinking|scratchpad|reasoning|untrusted\w*|end[-_ ]of[-_ ](?:input|data|context|document))\s*>",
    "tool_element": r"</?\s*(?:antml:)?(?:tool_calls?|tool_use|tool_results?|tool_response|function_calls?|function_results?|invoke|function=\w+|parameter\s+name=|invoke\s+name=)[\s>\"']",
    "tool_object": r"\"(?:tool_calls?|function_call|tool_use)\"\s*:\s*[\[{]|\bto=functions\.\w+|\brecipient_name\"\s*:",
    "role_line": r"(?m)^[^\w\n]{0,8}(?:system|assistant|developer|sysadmin|root|ai|end of user)\s*(?:prompt|message|note|override|instructions?|notice|update|alert)?\s*[\])>*_#]{0,4}\s*[:>\]][\])>*_# \t]*(?:you|ignore|disregard|forget|new|call|delete|send|execute|the (?:user|assistant|following)|from now|override|please|sure|i (?:will|have|should|must|need)|understood|all|do not|always|never|now|important|begin|begins|critical|urgent)\b",
    "role_heading": r"(?m)^[^\w\n]{0,8}(?:begin|start|end|new|start of|end of|beginning of)\s+(?:the\s+)?(?:system|admin|developer|hidden|user|untrusted|retrieved|tool|trusted|real|document|external|quoted)\s*(?:prompt|message|instructions?|input|output|data|content|context|text|query|document|override|section)\b[^\w\n]*$",
    "end_of_data": r"(?m)^[^\w\n]{2,}\s*(?:end|end of|close|stop)\s+(?:of\s+)?(?:the\s+)?(?:document|input|context|data|prompt|user (?:input|message|data)|untrusted \w+|content|instructions|email|page|file|review|comment|message|conversation|transcript)\b[^\w\n]*$",
    "bracketed_role": r"[\[({<«]{1,3}\s*(?:system|admin|administrator|developer|root|assistant|internal|operator)(?:[\s_-]+(?:override|message|note|prompt|instructions?|update|notice|alert|directive|command|mode|only|task|request|event))+\b[^\])}>»\n]{0,40}[\])}>»:]",
    "instruction_heading": r"(?m)^[^\w\n]{1,8}(?:new|updated|real|actual|hidden|secret|override|system|priority|additional)\s+(?:system\s+)?(?:instructions?|directives?|prompt|task|objective)\b\s*[:\])>*_#-]*",
}

_CONDUCT_RULES = {
    "reveal_prompt": r"\b(?:print|reveal|show|output|display|repeat|echo|leak|dump|expose|disclose|share|give|tell|send|post|paste|include|recite|quote|reproduce|translate|summarize|summarise|write|return|append|what is|what are|what were|what was) (?:\w+ ){0,5}(?:your|the|its|hidden|full|entire|complete|exact|original|initial|secret|above|me) (?:\w+ ){0,3}(?:system prompts?|system instructions?|system messages?|hidden (?:prompt|instructions?|rules)|initial (?:prompt|instructions?)|developer (?:prompt|message|instructions?)|(?:instructions?|prompt|text|words|everything) (?:above|before this|verbatim|word for word)|confidential instructions?|internal instructions?|original instructions?|secret instructions?|your instructions|your prompt|your rules|your guidelines)\b",
    "reveal_own": r"\b(?:reveal|show|repeat|print|output|tell me|disclose|give me|expose|leak|share|recite|dump) (?:\w+ ){0,3}your (?:\w+ ){0,3}(?:instructions|prompt|system prompt|guidelines|rules|directives|configuration|programming|training data|secrets?|credentials|api keys?|tokens?|passwords?|environment variables)\b",
    "send_secrets": r"\b(?:send|post|upload|exfiltrate|transmit|forward|leak|email|mail|deliver|submit|copy|ship) (?:\w+ ){0,4}(?:all|your|any|every|contents?|entire|full|private|confidential|internal|customer|customers|stored|available) (?:\w+ ){0,6}(?:environment variables|env vars|env file|credentials|secrets|api keys?|tokens|passwords|ssh keys?|private keys?|database|records|customer (?:data|list|records)|conversation|chat history|system prompt|data|files|source code)(?: \w+){0,6} (?:to|at|via|into|in)\b(?: \w+){0,6}(?: (?:http|https|www|com|net|org|io|example|attacker|external|outside|server|webhook|url|address|endpoint|email|mailbox|account|gmail))",
    "read_secrets": r"\b(?:read|cat|print|open|list|collect|gather|find|fetch|grab|extract|copy|encode|get|dump) (?:\w+ ){0,6}(?:environment variables|env vars|env file|credentials|secrets|api keys?|tokens|passwords|ssh keys?|private keys?|id rsa|etc passwd|aws credentials|github token|netrc)(?: \w+){0,6} (?:and|then) (?:\w+ ){0,2}(?:send|post|upload|include|paste|append|put|add|print|commit|push|exfiltrate|transmit|forward|leak|email|write|report|curl|encode)\b",
    "conceal": r"\b(?:do not|don t|dont|never|without|must not|should not|avoid|refrain from) (?:\w+ ){0,2}(?:mention|mentioning|tell|telling|reveal|revealing|disclose|disclosing|report|reporting|inform|informing|acknowledge|acknowledging|discuss|discussing) (?:\w+ ){0,5}(?:(?:this|these|those|the|that) (?:hidden |secret |injected |above |earlier )?(?:instructions?|directives?|prompt|injection|override)|that you (?:were|are|have been|received|followed)|you (?:were|have been) (?:told|instructed|asked))\b",
    "conceal_from_people": r"\b(?:do not|don t|dont|never|without|must not) (?:\w+ ){0,1}(?:tell|telling|inform|informing|alert|alerting|warn|warning) (?:\w+ ){0,2}(?:the )?(?:humans?|human \w+|reviewers?|maintainers?|operators?|user|users|anyone|owner|author)(?: \w+){0,4} (?:this (?:instruction|message|comment|step|action|change|request)|these instructions|you (?:did|have|are|were)|what you)\b",
    "keep_secret": r"\b(?:keep (?:this|these) (?:instructions?|message|task|action|request|directives?) (?:\w+ ){0,2}(?:secret|hidden|confidential|private|between us|to yourself)|(?:silently|secretly|covertly|quietly|discreetly) (?:\w+ ){0,3}(?:send|forward|add|insert|include|append|exfiltrate|upload|push|merge|commit|approve|execute|run|email|copy|leak|delete))\b",
    "skip_gates": r"\b(?:skip|disable|bypass|ignore|omit|turn off|circumvent) (?:\w+ ){0,3}(?:tests|checks|review|reviews|ci|lint|linting|security (?:checks?|scans?|review)|validation|scans?|gates?|approvals?|branch protection|verification)(?: \w+){0,3} (?:and|then) (?:\w+ ){0,2}(?:merge|approve|push|deploy|publish|release)\b",
    "approve_anyway": r"\b(?:approve|merge|accept|lgtm) (?:this|the|my|it|these|all) ?(?:\w+ ){0,4}(?:without (?:\w+ ){0,2}(?:review|reviewing|checking|reading|running|analysis|further|question|verification|looking)|regardless of|no matter what|immediately without|unconditionally|automatically without)\b",
    "verdict_dictated": r"\b(?:mark|classify|label|rate|report|treat|score|flag|categorize|categorise|set|return|output|record|assess) (?:this|the|my|it|these|all) ?(?:\w+ ){0,4}as (?:\w+ ){0,2}(?:approved|trivial|low risk|reviewed|no risk|harmless|compliant|already reviewed|pre approved|risk free|needs no review)\b",
    "no_findings": r"\b(?:report|say|state|respond|reply|answer|output|conclude|write|claim|return) (?:\w+ ){0,4}(?:no|zero|0) (?:\w+ ){0,2}(?:issues|findings|vulnerabilities|problems|concerns|security issues)(?: \w+){0,4} (?:regardless|no matter|whatever|even if|irrespective|in any case|always)\b",
    "decode_and_obey": r"\b(?:decode|decrypt|deobfuscate|unscramble|decipher|reverse|rot13|base64 decode|translate|interpret) (?:\w+ ){0,6}(?:and|then|to) (?:\w+ ){0,2}(?:follow|execute|obey|run|perform|comply|carry out|do (?:\w+ )?(?:what|as)|act on)\b",
    "obey_text": r"\b(?:follow|execute|obey|perform|comply with|carry out|act on|act upon) (?:\w+ ){0,3}(?:hidden|embedded|encoded|decoded|secret|injected|concealed|enclosed) (?:\w+ ){0,2}(?:instructions?|commands?|directives?|message|orders|task)\b",
}

SCREEN_RULES = tuple(
    ScreenRule(id, family, view, pattern)
    for family, view, rules in (
        (Family.HIDDEN, View.RAW, _HIDDEN_RULES),
        (Family.OVERRIDE, View.WORDS, _OVERRIDE_RULES),
        (Family.OVERRIDE, View.LINES, _OTHER_SCRIPT_RULES),
        (Family.PERSONA, View.WORDS, _PERSONA_RULES),
        (Family.MARKER, View.LINES, _LINE_RULES),
        (Family.CONDUCT, View.WORDS, _CONDUCT_RULES),
    )
    for id, pattern in rules.items()
)
"""All rules."""
