"""The rules of the injection screen: what text that is meant for a machine looks like (feedback §3, §4).

Each rule asks for something that people do not write to each other in a review: instructions about instructions, a role
for the reader, the markers of a chat format, characters that nobody sees. A word such as "ignore" is never enough.
"""

from dataclasses import dataclass
from enum import StrEnum

from autoswe.rules.text import screen_languages
from autoswe.rules.text.word_patterns import up_to


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
    """As written, less HTML comments and the flags of regions."""
    LINES = "lines"
    """Compatible characters unified, hidden ones dropped, lower case; lines and punctuation stay."""
    WORDS = "words"
    """Latin words in lower case without accents, one space between them and " . " after a sentence; together with the
    words that undoing a disguise (look-alikes, digits for letters, spaced letters) or an encoding gives."""


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """One thing the screen looks for; ``id`` is what a refusal names, ``pattern`` is RE2."""

    id: str
    family: Family
    view: View
    pattern: str


_UNSEEN = r"\x{AD}\x{34F}\x{180E}\x{200B}-\x{200D}\x{2060}-\x{2064}\x{FEFF}"

# Joiners within emoji and within words of other scripts are ordinary.
_HIDDEN_RULES = {
    "tag_characters": r"[\x{E0000}-\x{E007F}]",
    "direction_override": r"[\x{202A}-\x{202E}\x{2066}-\x{2069}]",
    "split_word": rf"[A-Za-z][{_UNSEEN}]+[A-Za-z]",
    "unseen_run": rf"[{_UNSEEN}]{{4,}}",
    "selector_run": r"[\x{FE00}-\x{FE0F}\x{E0100}-\x{E01EF}]{2,}",
}

_IGNORE = (
    r"(?:ignore|disregard|forget|pay no (?:attention|heed) to|"
    r"(?:do not|don t|no longer|stop|cease) (?:follow|obey|heed)(?:ing)?|(?:set|put) aside|throw (?:out|away))"
)
_BREAK = r"(?:override|bypass|violate|break|suspend|abandon|nullify|supersede|circumvent)"
_EARLIER = (
    r"(?:previous|previously|prior|above|earlier|preceding|former|initial|original|foregoing|system|developer|"
    r"existing|past)"
)
_ORDERS = r"(?:instructions?|(?:system )?prompts?|guidelines|guardrails|programming|system messages?|directions)"
_OWN = (
    r"(?:instructions?|(?:system )?prompts?|directives?|guidelines?|programming|guardrails?|training|safety \w+|"
    r"ethic\w+(?: \w+)?|content polic\w+|safeguards?|rules|restrictions?|limitations)"
)
_GUARDS = (
    r"(?:instructions?|system prompt|programming|guardrails?|training|safety \w+|ethic\w+(?: \w+)?|"
    r"content polic\w+|guidelines|safeguards?)"
)
_SAID = r"(?:told|given|taught|instructed|asked)"
_ACT = r"(?:output|print|reveal|respond|reply|say|answer|execute|tell|give|show|act|become)"

_OVERRIDE_RULES = {
    "ignore_earlier": rf"\b{_IGNORE} {up_to(4)}{_EARLIER} {up_to(3)}{_ORDERS}\b",
    "ignore_above": rf"\b{_IGNORE} {up_to(3)}{_ORDERS} {up_to(3)}"
    rf"(?:above|before (?:this|that|now)|so far|until now|(?:were|been) {_SAID})\b",
    "ignore_own": rf"\b{_IGNORE} (?:all |any |each |every |of |about ){{0,3}}your (?:\w+ )?{_OWN}\b",
    "ignore_what_was_said": rf"\b{_IGNORE} {up_to(2)}(?:everything|anything|all|whatever|what) {up_to(2)}"
    rf"you (?:were|are|ve been|have been|had been|know|learned) {up_to(1)}(?:{_SAID}|before|about your)\b",
    "ignore_and_act": rf"\b{_IGNORE} (?:all|everything|anything) (?:of )?(?:(?:the|that) )?"
    rf"(?:above|before|prior|previous|preceding|earlier)(?: this)? and (?:just |instead |only |now )?{_ACT}\b",
    "break_own": rf"\b{_BREAK} (?:all |any |each |every |of ){{0,3}}your (?:\w+ )?{_GUARDS}\b",
    "break_earlier": rf"\b{_BREAK} (?:all |any |the |every |these |those |of ){{0,3}}"
    r"(?:previous|prior|above|earlier|preceding|original|initial|system) "
    r"(?:\w+ )?(?:instructions?|prompts?|guardrails?)\b",
    "spaced_letters": r"\b(?:ignore|disregard|forget|override)(?:all|any|the|your|my|of|every|these|those){0,3}"
    r"(?:previous|prior|above|earlier|preceding|system)(?:instructions?|prompts?|rules|guidelines|messages)",
    "new_orders": r"\byour (?:new|only|sole|true|real|actual) "
    r"(?:instructions|orders|directives?|objective|mission|system prompt|persona)\b|"
    r"\byour (?:new|only|sole|true|real) (?:task|job|goal|role|purpose) is\b",
    "from_now_on": r"\b(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)) "
    r"(?:you (?:are|have no|do not have|(?:will|must) (?:act|respond|answer|behave|obey|ignore|comply))|"
    r"(?:respond|answer|act|behave|ignore|obey|speak) )",
    "orders_void": r"\b(?:your|all|any) (?:previous|prior|earlier|original|initial|above|old) "
    rf"{_ORDERS} (?:are|is|have been|were) (?:now |hereby ){{0,2}}"
    r"(?:void|null|revoked|suspended|lifted|superseded|overridden|cancell?ed|"
    r"no longer (?:valid|in effect|in force|apply))\b",
    "rules_changed": r"\byour (?:rules|instructions|guidelines|restrictions|limits|policies|programming) "
    r"(?:have|has|were|are|is) (?:now |just |all )?(?:been )?(?:changed|updated|replaced|lifted|removed|reset|relaxed) "
    rf"{up_to(2)}you (?:now|may now|can now|must now|will now|are now)\b",
    "takes_precedence": r"\b(?:supersedes?|overrides?|takes? (?:precedence|priority) over|replaces?) "
    rf"(?:all|any|your)(?: other| previous| prior| earlier| existing| original){{0,2}} {_ORDERS}\b",
    "must_comply": r"\byou (?:must|will|shall|should|have to) (?:now )?(?:comply with|obey|fulfill?) "
    rf"(?:any|every|all|each|whatever|my) {up_to(2)}(?:requests?|commands?|orders?|instructions?)\b",
}

_FREED = (
    r"(?:dan|jailbroken|unrestricted|unfiltered|uncensored|amoral|unethical|evil|"
    r"(?:developer|debug|god|sudo) mode|free (?:from|of) (?:all|any) restrictions|"
    r"(?:no|without(?: any)?) (?:restrictions|rules|limits|filters|guidelines|safety|ethic\w+))"
)
_RESTRAINTS = r"(?:restrictions|guardrails|limits|ethical \w+|content (?:filters|polic\w+)|safety \w+|moral \w+)"
_MODEL = r"(?:ai|a i|llm|large language model|language model)"
_MACHINE = rf"(?:{_MODEL}s?|copilot|claude|codex|chatgpt|gemini)"
_SYSTEM = r"(?:system|admin|administrator|developer|root)"

_PERSONA_RULES = {
    "now_another": rf"\byou (?:are|re|will be|shall be) (?:now|henceforth) {up_to(4)}{_FREED}\b",
    "named_persona": r"\b(?:do anything now|(?:developer|god|dan|jailbreak) mode (?:enabled|on|activated)|"
    r"(?:jailbreak(?:ed)?|dan|unrestricted|unfiltered) mode)\b",
    "act_as": rf"\b(?:act|behave|respond|answer|roleplay|role play|pose|simulate) (?:as|like) {up_to(6)}{_FREED}\b",
    "pretend": rf"\b(?:pretend|imagine) (?:that )?you (?:are|re|have|had|were) {up_to(5)}(?:{_FREED}|{_MODEL})\b",
    "no_restraints": r"\byou (?:now |must |will |should )?(?:have|operate with|operate without|are free (?:from|of)|"
    rf"are not bound by|are no longer bound by|are unbound by) (?:any |no |all |zero )?(?:\w+ )?{_RESTRAINTS}\b",
    "safety_off": r"\b(?:safety|ethical|alignment) (?:protocols?|guidelines|filters?|polic\w+|"
    rf"restrictions?|rules|guardrails?) {up_to(3)}(?:disabled|deactivated|off|suspended|lifted|overridden|"
    r"bypassed|(?:do not|don t|no longer) apply|not meant)\b",
    "you_ignore_safety": r"\byou (?:now |will |must |can |may |should )?(?:ignore|disregard|bypass|override|drop|skip) "
    r"(?:all |any |every |your |the )?(?:safety|ethical|ethics|moral|content) (?:rules|polic\w+|guidelines|filters?|"
    r"restrictions|protocols?|training|constraints|limits)\b",
    "exempt": r"\bexempt from (?:the |all |any |your )?(?:usual|normal|standard|content|safety) "
    r"(?:restrictions|polic\w+|guidelines|filters|rules)\b",
    "without_limits": rf"\b(?:respond|answer|reply|comply|behave|speak) {up_to(4)}(?:without|with no) (?:any |all )?"
    r"(?:\w+ )?(?:restrictions?|limits|limitations|censorship|disclaimers|inhibitions|guardrails)\b",
    "addressed_machine": r"\b(?:attention|note|notice|memo|dear|warning) (?:to |for )?"
    rf"(?:the |any |all |every |our |you )*{_MACHINE}(?: (?:agents?|reviewers?|models?|assistants?|systems?))?"
    r"(?: (?:\.|reading|processing|reviewing|please|you|must)|$)",
    "machine_reading": rf"\b{_MODEL}s? (?:\w+ )?(?:reading|processing|reviewing|parsing|summari[sz]ing|evaluating|"
    r"integrating) (?:this|these|the following)\b",
    "if_machine": rf"\b(?:if|since|because|as) you (?:are|re) (?:an? )?(?:{_MODEL}|"
    r"(?:automated|autonomous) (?:\w+ )?(?:agent|reviewer|system|assistant)|(?:coding |review )?(?:assistant|agent))\b",
    "you_machine": rf"\byou (?:are|re) (?:an? )?(?:helpful |powerful |advanced ){{0,2}}{_MODEL}\b|"
    rf"\bas an? {_MODEL}(?: (?:model|assistant|agent|reviewer|system))? (?:you|i)\b",
    "forged_reasoning": r"\b(?:as (?:an? |the |your )?(?:ai |helpful )?assistant|reasoning assistant(?: \.)?|"
    r"assistant reasoning(?: \.)?) (?:i|we) (?:have|ve) (?:already |now |just )?"
    r"(?:determined|concluded|decided|established|verified|confirmed)\b",
    "claims_authority": r"\b(?:i am|i m|this is|speaking as|on behalf of|(?:message|instructions?|orders?) from) "
    r"(?:your (?:\w+ )?(?:developer|creator|administrator|admin|operator|maker|programmer)|"
    r"(?:the )?(?:openai|anthropic)(?: \w+)? (?:team|staff|engineer|employee|developer))\b",
    "claims_approval": r"\bpre ?(?:approved|authori[sz]ed) by\b",
    "claims_override": rf"\b{_SYSTEM} (?:override|directive|mandate) "
    r"(?:activated|accepted|initiated|in effect|enabled)\b|"
    rf"\b{_SYSTEM} (?:override|directive|instructions?) (?:ignore|disregard|follow|reveal|you (?:must|are|will))\b",
    "memory": rf"\b(?:save|store|persist|write|add|commit|remember|keep) (?:this|these|the following) {up_to(4)}"
    rf"(?:to|in) your {up_to(2)}memory\b",
}

_LINE_RULES = {
    "chat_token": r"<\|(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|end_of_text|begin_of_text|"
    r"eot_id|eom_id|start_header_id|end_header_id|message|channel|tool_call|python_tag)\|>",
    "instruction_token": r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    "role_element": r"(?m)(?:^|[^a-z0-9_])</?\s*(?:system|assistant|think|thinking|scratchpad|"
    r"system[-_ ](?:prompt|message|instructions?|override|reminder|note)|"
    r"(?:developer|assistant)[-_ ](?:response|message)|"
    r"admin[-_ ](?:override|instructions?|message)|(?:new|hidden)[-_ ]instructions?|untrusted\w*|"
    r"end[-_ ]of[-_ ](?:input|data|context|document))\s*>",
    "tool_element": r"</?\s*(?:antml:)?(?:tool_calls?|tool_use|tool_results?|tool_response|function_calls?|"
    r"function_results?|function=\w+|invoke\s+name=)[\s>\"']",
    "role_line": r"(?m)^[^\w\n]{0,8}(?:system|assistant|developer|ai)\s*(?:prompt|message|note|instructions?)?\s*"
    r"[\])>*_#]{0,4}\s*:[\])>*_# \t]*(?:you|ignore|disregard|forget|override|from now|new instructions?|"
    r"sure|understood|call|i (?:will|must|should|have|understand)|the (?:user|assistant) (?:has|is)|"
    r"do not (?:tell|mention|reveal|follow))\b",
    "override_line": r"(?m)(?:^|[.!?] )[^\w\n]{0,8}(?:(?:urgent|critical|priority|important)\s+)?"
    r"(?:(?:system|admin|administrator|developer|root|security)\s+(?:override|directive|mandate|instructions?)|"
    r"(?:new|hidden|secret|priority|overriding)\s+(?:system\s+|admin\s+|developer\s+)?"
    r"(?:instructions?|directives?|orders)|neue\s+(?:anweisung|instruktion)(?:en)?|nuevas\s+instrucciones|"
    r"nuove\s+istruzioni|nouvelles\s+(?:instructions|consignes))[\])>*_]{0,4}\s*:",
    "system_note": r"(?m)^[^\w\n]{0,8}(?:system[ -]?note|systemhinweis|note\s+(?:du\s+)?syst[eè]me|"
    r"nota\s+del?\s+sistem[ai]|nota\s+di\s+sistema)[\])>*_]{0,4}\s*:",
    "note_for_machine": r"\((?:instructions?\s+|note\s+|message\s+)?(?:for|to)\s+(?:any\s+|all\s+|the\s+)*"
    r"(?:ai|llm|language\s+model)\s*(?:coding\s+|review\s+|code\s+)?(?:agents?|assistants?|reviewers?|models?|tools?)"
    r"(?:\s+only)?\)\s*:",
    "end_of_data": r"(?m)^[^\w\n]{2,}\s*(?:begin|start|end)(?:ning)?\s+(?:of\s+)?(?:the\s+)?(?:new\s+)?"
    r"(?:(?:system|admin|developer|hidden|untrusted|retrieved|user)\s+"
    r"(?:prompt|instructions?|input|override|context|message|content|data)|"
    r"prompt|conversation|transcript|tool output)\b[^\w\n]*$",
    "bracketed_role": r"[\[{<«]{1,3}\s*(?:system|admin|administrator|developer|root|assistant)[\s_-]+"
    r"(?:override|message|note|prompt|instructions?|notice|directive)\b[^\]}>»\n]{0,40}[\]}>»:]",
}

_KEEP_FROM = r"(?:do not|don t|dont|never|without|must not|should not|avoid|refrain from)"
_CONFIDENTIAL = (
    r"(?:environment variables|env vars|env file|credentials|secrets|api keys|tokens|passwords|ssh keys?|"
    r"private keys?|system prompt|chat history|source code)"
)
_PLACES_OF_KEYS = (
    r"(?:environment variables|env vars|env file|ssh keys?|private keys?|id rsa|etc passwd|aws credentials|netrc|"
    r"all (?:the )?(?:secrets|tokens|credentials)|github token)"
)
_THIS_CHANGE = r"(?:this|the) (?:pr|pull request|change|changes|diff|commit|patch)"

_CONDUCT_RULES = {
    "reveal_own": r"\b(?:reveal|show|repeat|print|output|tell me|disclose|give me|expose|leak|recite|dump|"
    rf"what (?:is|are|were)) {up_to(3)}your (?:\w+ )?"
    r"(?:instructions|(?:system )?prompt|guidelines|directives|programming|training data)\b",
    "reveal_verbatim": rf"\b(?:repeat|print|printing|output|recite|reproduce|reveal|echo|write) {up_to(5)}"
    r"(?:(?:system )?prompt|instructions?|everything|words|text)(?: above| before this)? (?:verbatim|word for word)\b|"
    rf"\b(?:repeat|recite|reveal|reproduce) {up_to(3)}(?:prompt|instructions?) (?:above|before this)\b",
    "reveal_given": r"\b(?:summary|summarise|summarize|copy|list|description|text|repeat|contents?|reveal|print|output|"
    r"(?:tell|show|give) (?:me|us)) "
    r"(?:of )?(?:the |all |any )*(?:exact |full |operating |system |initial |original |hidden )*"
    r"(?:instructions|prompt|guidelines|directives) (?:that )?you (?:were|have been|ve been|received|got) "
    r"(?:given|told|provided|at the|in the|before|from)\b",
    "reveal_above": r"\b(?:repeat|print|output|recite|reproduce|echo) (?:the |all |all the |every )?"
    r"(?:words?|text|lines?|content|everything) above (?:starting|beginning) (?:with|from)\b",
    "reveal_hidden": r"\b(?:show|tell|give|send|print) (?:me|us) (?:the |your |its )?"
    r"(?:hidden|secret|initial|original|full|complete|internal|entire) (?:system )?"
    r"(?:prompt|instructions|directives)\b",
    "reveal_context": rf"\b(?:output|print|reveal|repeat|dump|show|list|return|give) {up_to(3)}"
    r"(?:(?:everything|anything|all|contents?|text) (?:\w+ )?(?:in|of|from) )?"
    r"your (?:(?:entire |full |whole )?context window|(?:chat|conversation|message) history)\b",
    "append_token": r"\b(?:append|add|include|insert|prepend|mention|output|write|put) (?:the |this |an? )?"
    r"(?:exact |following |unique |secret |mandatory )*"
    r"(?:(?:verification|confirmation|tracking|audit|logging|exact|compliance) (?:token|code|marker|string|phrase|id)|"
    rf"token|canary|(?:doc|document|trace|record) id) {up_to(6)}"
    r"(?:(?:to|at|in) the (?:end|start|beginning|top|bottom) of your (?:reply|response|answer|summary|output|message)|"
    r"(?:in|into|to|with) your (?:reply|answer|summary))\b",
    "told_to_include": r"\bwhen you (?:summari[sz]e|answer|reply|review|respond|report) (?:this |it |the \w+ )?"
    rf"you (?:must|have to|shall|should|need to) (?:also )?(?:include|append|add|mention|output|write) {up_to(2)}"
    r"(?:token|code|marker|phrase|string|id|link)\b",
    "also_send": r"\b(?:when|whenever|before|after|once) you "
    r"(?:process|read|review|summari[sz]e|answer) (?:this |the |these |it )(?:\w+ )?(?:also|first|always) "
    rf"(?:send|email|mail|forward|post|upload) {up_to(5)}to\b",
    "send_secrets": rf"\b(?:send|post|upload|exfiltrate|transmit|forward|leak|email|mail|copy) {up_to(3)}"
    rf"(?:all|every|any|contents? of|entire|full) {up_to(4)}{_CONFIDENTIAL} {up_to(6)}(?:to|at|via) {up_to(4)}"
    r"(?:https?|www|attacker|external|outside|webhook|url|email|gmail|com|net|org|io|example)\b",
    "collect_and_send": r"\b(?:collect|gather|compile|harvest|extract|dump|list|rassemble[rz]?|recopila|raccogli|"
    rf"sammle) {up_to(3)}(?:customers?|clients?|users?|donnees|datos|dati|kundendaten|credentials|secrets|api keys|"
    rf"tokens|passwords|emails) {up_to(6)}(?:and |et |y |e |und )(?:then )?"
    r"(?:send|email|mail|post|forward|upload|exfiltrate|envoie[rz]?|envia|invia|schicke?|sende?) "
    r"(?:(?:them|it|those|these|everything|all|les|la|los|las|li|sie) ){0,2}(?:a|to|an|via) "
    rf"{up_to(3)}(?:attacker|evil|external|externe|externa|esterno|esterna|outside|webhook|https?|"
    r"\w+ (?:com|net|org|io|example|co|ru|cn))\b",
    "read_secrets": r"\b(?:read|cat|print|open|list|collect|gather|find|fetch|grab|extract|encode|dump) "
    rf"{up_to(5)}{_PLACES_OF_KEYS} {up_to(5)}(?:and|then) {up_to(2)}"
    r"(?:send|post|upload|include|paste|append|exfiltrate|transmit|forward|leak|email|report|curl|put|write) "
    rf"{up_to(4)}(?:to|in|into|as|via) {up_to(4)}"
    r"(?:comment|reply|summary|commit message|pull request|description|issue|url|server|webhook|https?|readme|file)\b",
    "conceal": rf"\b{_KEEP_FROM} {up_to(2)}(?:mention|tell|reveal|disclos|report|inform|acknowledg|discuss)(?:e|ing)? "
    rf"{up_to(5)}(?:(?:this|these|those|that) (?:hidden |secret )?"
    r"(?:instructions?|directives?|prompt|injection|override)|"
    rf"(?:that )?you (?:were|have been) {_SAID}|that you (?:received|followed))\b",
    "conceal_from_people": rf"\b{_KEEP_FROM} {up_to(1)}(?:tell|inform|alert|warn)(?:ing)? (?:the |any |your )?"
    rf"(?:humans?|reviewers?|maintainers?|operators?|users?|anyone|owner|author) {up_to(4)}"
    r"(?:this (?:instruction|message|request)|these instructions|what you|(?:that )?you (?:did|were|have done))\b",
    "keep_secret": rf"\bkeep (?:this|these) (?:instructions?|message|task|request|directives?) {up_to(2)}"
    r"(?:secret|hidden|confidential|private|between us|to yourself)\b|"
    rf"\b(?:secretly|covertly|discreetly) {up_to(3)}"
    r"(?:send|forward|add|insert|include|exfiltrate|upload|push|email|copy|leak|execute)\b",
    "skip_gates": rf"\b(?:skip|disable|bypass|ignore|omit|turn off|circumvent) {up_to(3)}"
    r"(?:tests|checks|reviews?|ci|linting|scans?|gates?|approvals?|branch protection|verification|confirmations?) "
    rf"{up_to(3)}(?:and|then) {up_to(2)}(?:merge|approve)\b",
    "approve_anyway": rf"\b(?:approve|merge|lgtm) {_THIS_CHANGE} {up_to(3)}(?:regardless|no matter|unconditionally|"
    rf"without {up_to(2)}(?:review|reviewing|checking|reading|running|analysis|question|verification|looking))\b",
    "verdict_dictated": rf"\b(?:mark|classify|label|rate|assess|treat|categori[sz]e) {_THIS_CHANGE} as "
    r"(?:\w+ )?(?:approved|trivial|low risk|reviewed|no risk|harmless|safe|compliant|risk free)\b",
    "no_findings": rf"\b(?:report|say|state|respond|reply|answer|conclude|claim) {up_to(4)}(?:no|zero) {up_to(2)}"
    rf"(?:issues|findings|vulnerabilities|problems|concerns) {up_to(4)}"
    r"(?:regardless|no matter|whatever|irrespective)\b",
    "decode_and_obey": rf"\b(?:decode|decrypt|unscramble|decipher|reverse|rot13|translate) {up_to(6)}(?:and|then|to) "
    rf"{up_to(2)}(?:follow|obey|comply|carry out|do (?:\w+ )?what|do as)\b",
    "obey_hidden": r"\b(?:follow|execute|obey|comply with|carry out|act on) (?:the |any |its |these |all )?"
    r"(?:hidden|embedded|encoded|decoded|secret|concealed|enclosed) (?:\w+ )?(?:instructions?|directives?|orders)\b",
    "permission_to_skip": rf"\b(?:permission|authori[sz]ation|clearance) to (?:skip|bypass|ignore|disable) {up_to(2)}"
    r"(?:safety|security|all|any|every) \w+",
}

SCREEN_RULES = tuple(
    ScreenRule(name, family, view, pattern)
    for family, view, rules in (
        (Family.HIDDEN, View.RAW, _HIDDEN_RULES),
        (Family.OVERRIDE, View.WORDS, _OVERRIDE_RULES),
        (Family.OVERRIDE, View.WORDS, screen_languages.OVERRIDES),
        (Family.OVERRIDE, View.LINES, screen_languages.OTHER_SCRIPTS),
        (Family.PERSONA, View.WORDS, _PERSONA_RULES),
        (Family.PERSONA, View.WORDS, screen_languages.PERSONAS),
        (Family.MARKER, View.LINES, _LINE_RULES),
        (Family.CONDUCT, View.WORDS, _CONDUCT_RULES),
        (Family.CONDUCT, View.WORDS, screen_languages.CONDUCTS),
    )
    for name, pattern in rules.items()
)
"""All rules."""
