"""The screen's rules for other languages than English, by the family that they belong to (feedback §3, §4).

They say what the rules for English say, in the words of the languages that injections are most often written in; those
about words read them without accents.
"""

from autoswe.rules.text.word_patterns import up_to

_WITHOUT = (
    r"(?:sin (?:ninguna? |ningun )?(?:restricciones|restriccion|limites|filtros?|reglas|censura)|"
    r"sem (?:nenhuma? )?(?:restricoes|limites|filtros?|regras|censura)|"
    r"senza (?:alcuna? |nessuna? )?(?:restrizioni|restrizione|limiti|filtri|regole|censura)|"
    r"sans (?:aucune? )?(?:restrictions?|limites?|filtres?|regles|censure)|"
    r"ohne (?:jede |jegliche |alle )?(?:regeln|einschra\w+|beschra\w+|grenzen|filter|zensur)|"
    r"uneingeschra\w+|unbeschrankt\w*)"
)
_ALL_INSTRUCTIONS = (
    r"(?:toutes (?:les|vos|tes) (?:instructions|consignes)|todas (?:las|tus|sus) instrucciones|"
    r"todas as (?:suas )?instrucoes|tutte le (?:tue )?istruzioni|alle (?:deine |ihre )?(?:anweisungen|instruktionen))"
)
_SENTENCE_GOES_NO_FURTHER = r"(?: \.| et | y | e | und |$)"

OVERRIDES = {
    "ignore_german": r"\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missachte\w*|verwirf|verwerfe\w*) "
    r"(?:alle[ns]? |die ){0,2}"
    r"(?:(?:vorherigen|bisherigen|vorigen|obigen|fruheren|ursprunglichen|deine|ihre) "
    r"(?:anweisung|instruktion|vorgabe|richtlinie)|was (?:wir|ich|du|dir|ihnen|sie) )",
    "ignore_french": rf"\b(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|ne (?:tiens|tenez) pas compte de) {up_to(3)}"
    rf"(?:instructions?|consignes|directives) {up_to(2)}(?:precedentes?|anterieures?|initiales|ci dessus|recues)\b",
    "ignore_spanish": rf"\b(?:ignora|ignore|ignorar|olvida|olvide|olvidar|descarta) {up_to(3)}"
    rf"(?:instrucciones|indicaciones|directrices) {up_to(2)}(?:anteriores|previas|iniciales|recibidas|de arriba)\b",
    "ignore_italian": rf"\b(?:ignora|ignorate|ignorare|dimentica|dimenticate|dimenticare) {up_to(3)}"
    rf"(?:istruzioni|indicazioni|direttive) {up_to(2)}(?:precedenti|iniziali|ricevute|di sopra)\b",
    "ignore_portuguese": rf"\b(?:ignore|ignora|ignorar|esqueca|esquece|desconsidere|desconsidera) {up_to(3)}"
    rf"(?:instrucoes|orientacoes|diretrizes) {up_to(2)}(?:anteriores|previas|iniciais|recebidas|acima)\b",
    "ignore_dutch": rf"\b(?:negeer|vergeet) {up_to(2)}(?:vorige|eerdere|voorgaande|bovenstaande) "
    r"(?:instructies|aanwijzingen)\b",
    "ignore_polish": rf"\b(?:zignoruj|ignoruj|zapomnij) {up_to(2)}(?:poprzednie|wczesniejsze|poprzednich|powyzsze) "
    r"(?:instrukc|polece)",
    "from_now_on_elsewhere": r"\bab (?:jetzt|sofort|nun) (?:hast|bist|gibst|wirst|musst|darfst) du\b|"
    r"\ba partir de (?:ahora|agora) (?:eres|no tienes|debes|responde\w*)\b|"
    r"\bda ora in poi (?:sei|non hai|devi|rispondi)\b|\ba partir de maintenant (?:tu|vous)\b",
    "forget_all_elsewhere": r"\b(?:ignore[rz]?|oublie[rz]?|olvida|olvide|ignora|ignorad|esqueca|esquece|dimentica|"
    r"dimenticate|ignorate|vergiss|vergesst|ignoriere?) "
    rf"{_ALL_INSTRUCTIONS}{_SENTENCE_GOES_NO_FURTHER}",
}

PERSONAS = {
    "freed_elsewhere": r"\b(?:du bist|sie sind|ihr seid|tu es|vous etes|ahora (?:eres|estas)|"
    rf"agora (?:tu es|voce (?:e|esta))|(?:ora|adesso) (?:sei|siete)) {up_to(6)}{_WITHOUT}{_SENTENCE_GOES_NO_FURTHER}",
    "follows_nothing_elsewhere": r"\b(?:du (?:befolgst|folgst|kennst)|befolgst|tu ne suis|vous ne suivez|"
    rf"(?:ya )?no sigues|non segui) {up_to(4)}(?:keine|keinerlei|aucune?|ninguna?|nessuna?|alcuna?) {up_to(1)}"
    r"(?:richtlinien?|regeln?|anweisung(?:en)?|einschra\w+|regles?|consignes?|restrictions?|reglas?|instruccion(?:es)?|"
    r"restriccion(?:es)?|regola|regole|istruzion[ei]|restrizion[ei])\b",
    "forged_reasoning_elsewhere": r"\b(?:als assistent\w*|comme assistant|en tant qu assistant|como asistente|"
    rf"como assistente|come assistente) {up_to(2)}(?:habe ich|ich habe|j ai|ya he|he|ja|ho) {up_to(3)}"
    r"(?:festgestellt|entschieden|beschlossen|determine|decide|conclu|etabli|determinado|decidido|concluido|establecido|"
    r"stabilito|deciso|determinato|concluso)\b",
}

CONDUCTS = {
    "reveal_elsewhere": r"\b(?:revela|revele|muestra|repite|imprime|mostra|mostrami|rivela|rivelami|ripeti|revele[rz]?|"
    rf"affiche[rz]?|repete[rz]?|montre[rz]?|zeige?|verrate?|nenne?|wiederhole?) {up_to(3)}"
    rf"(?:tus|tu|tue|il tuo|tes|ton|vos|votre|deine?n?|ihre?n?) {up_to(2)}"
    r"(?:instrucciones|istruzioni|instructions|consignes|prompt|systemprompt|anweisungen|systemanweisungen)\b",
    "append_token_elsewhere": rf"\b(?:token|jeton|codigo|codice|code|kennung) {up_to(10)}"
    r"(?:(?:am )?ende (?:jeder|deiner|ihrer|der) antwort|fin de (?:toute|chaque|ta|votre) reponse|"
    r"final de (?:cualquier|cada|toda|tu|su) respuesta|fim de (?:qualquer|cada|toda|sua) resposta|"
    r"fine (?:di ogni|di qualsiasi|della tua) risposta)\b",
}

OTHER_SCRIPTS = {
    "ignore_russian": r"(?:игнорируй|забудь|не обращай)\pL*\s+(?:\pL+\s+){0,2}"
    r"(?:вс[её]|предыдущ|прежн|прошл|вышеуказанн|свои)\pL*\s+(?:\pL+\s+){0,2}(?:инструкци|указани|команд)",
    "ignore_chinese": r"(?:忽略|忽視|忽视|无视|無視|忘记|忘記|不要理会)[^。\n]{0,6}"
    r"(?:之前|以上|先前|上述|前面|上面|所有)[^。\n]{0,8}(?:指令|指示|提示|命令|说明|說明)",
    "ignore_japanese": r"(?:以前|前|上記|これまで|すべて|全て)[^。\n]{0,6}"
    r"(?:指示|命令|プロンプト|指令)[^。\n]{0,6}(?:無視|忘れ)",
    "ignore_korean": r"(?:이전|위의|앞의|기존|모든)[^.\n]{0,8}(?:지시|명령|지침|프롬프트)[^.\n]{0,8}(?:무시|잊)",
    "ignore_arabic": r"تجاهل[^.\n]{0,16}(?:التعليمات|الأوامر)[^.\n]{0,12}(?:السابقة|أعلاه)",
    "ignore_hindi": r"(?:पिछले|पूर्व|सभी)[^।\n]{0,16}(?:निर्देश|आदेश)[^।\n]{0,24}(?:अनदेखा|भूल)",
}
