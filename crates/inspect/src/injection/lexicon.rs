//! The words of each concept. Two words joined by `_` form a pair; a word that is listed twice keeps its first concept.

use super::concept::Concept::{self, *};

pub(super) const LEXICON: &[(Concept, &str)] = &[
    (
        Dismiss,
        "ignore ignoring disregard disregarding forget forgetting override overriding overwrite bypass bypassing neglect discard \
         dismiss abandon circumvent disobey defy overrule unlearn nullify negate invalidate forgo pay_no ignor igonre ingore \
         do_away leave_behind set_aside wipe erase drop_all drop_your drop_the break_your break_the violate break_free broken_free cancel nevermind \
         stop_following not_follow n't_follow don't_follow no_longer",
    ),
    (
        Dismiss,
        "ignoriere ignorier ignorieren ignoriert vergiss vergesse vergessen vergesst missachte missachten verwirf verwerfe streiche streichen übergehe umgehe überschreibe",
    ),
    (Dismiss, "ignorez ignorer oublie oubliez oublier négligez contourne contournez outrepasse fais_abstraction"),
    (
        Dismiss,
        "ignora ignore ignorar ignoren olvida olvide olvidar olvídate olvidate olvidad olviden omite omita descarta descarte",
    ),
    (
        Dismiss,
        "dimentica dimenticate dimenticare ignorate ignorare trascura esqueça esquece esqueçam esquecer ignorem desconsidere desconsidera",
    ),
    (
        Dismiss,
        "negeer vergeet negeren vergeten zignoruj zapomnij ignoruj pomiń zapomnijcie zaboravi zaboravite ignoriši zanemari glöm ignorera glem uita ignoră zapomeň ignoruj felejtsd",
    ),
    (Dismiss, "игнорируй игнорируйте проигнорируй забудь забудьте отбрось ігноруй забудь_про забуть unut görmezden"),
    (
        Dismissed,
        "ignored ignores forgot forgotten forgets overrode overridden overrides bypassed bypasses disregarded disregards neglected neglects dismissed discarded cancelled canceled",
    ),
    (
        Prior,
        "previous previously prior above earlier preceding preceeding foregoing aforementioned initial initially original originally past former existing before so_far until_now beginning starting current prev last",
    ),
    (
        Prior,
        "vorherige vorherigen vorheriger vorigen bisherige bisherigen obige obigen obenstehenden vorangegangenen vorangehenden vorstehenden früheren davor vorher zuvor bisher ursprünglichen anfänglichen oben",
    ),
    (
        Prior,
        "précédentes précédents précédente précédent antérieures ci-dessus avant initiales anteriores anterior previas previos previa antes arriba precedenti precedente prima sopra iniziali acima",
    ),
    (
        Prior,
        "vorige voorgaande eerdere bovenstaande hiervoor poprzednie poprzednich wcześniejsze powyższe предыдущие предыдущих предыдущую прежние ранее выше прошлые попередні önceki tidligere tidigare föregående předchozí",
    ),
    (
        Later,
        "following follows below next subsequent after hereafter folgende folgenden folgendes unten nächste nächsten suivante suivantes siguiente siguientes seguente seguinte volgende następujące следующее следующие",
    ),
    (
        All,
        "all any every everything anything each whatever alle alles sämtliche sämtlichen jegliche tout toutes tous todo todos todas todo_lo tutto tutte tutti tudo wszystko wszystkie всё все всю sve alla allt hepsini",
    ),
    (
        Directive,
        "instruction instructions instuctions instrutions intructions insructions onstructions prompt prompts directive directives command commands orders directions programming preprompt pre-prompt metaprompt prompting prompt_text",
    ),
    (
        Directive,
        "anweisung anweisungen instruktion instruktionen befehl befehle befehlen anordnungen vorgaben angaben ausführungen prompt-text prompt-texte prompttext systemprompt",
    ),
    (
        Directive,
        "consigne consignes directives ordres instrucción instrucciones indicaciones órdenes comandos istruzione istruzioni indicazioni comandi instrução instruções ordens",
    ),
    (
        Directive,
        "instructie instructies opdrachten bevelen instrukcje instrukcji polecenia poleceń polecenie инструкции инструкций инструкция инструкцию указания команды приказы instrukcije instruktioner talimatları instrukce utasítást",
    ),
    (
        Rule,
        "rule rules guideline guidelines policy policies restriction restrictions constraint constraints limitation limitations limits filter filters guardrail guardrails safeguards censorship boundaries protocol protocols regulations safety moderation norms confines terms_of",
    ),
    (
        Rule,
        "regel regeln richtlinien einschränkungen beschränkungen règles restrictions contraintes reglas restricciones límites filtros regole restrizioni limiti regras restrições regels beperkingen zasady ograniczenia правила ограничения ограничений",
    ),
    (
        Task,
        "task tasks assignment assignments job mission role_is duty aufgabe aufgaben auftrag tâche tâches tarea tareas compito compiti tarefa tarefas taak taken zadanie zadania задание задачи задача challenge",
    ),
    (
        System,
        "system systems kernel root sudo backend internal systemnachricht système sistema systeem systemowy системный системную системные",
    ),
    (
        You,
        "you you're youre yourself u ya thou you'll you've du dich dir sie_sind tu_es vous toi tú usted ustedes te_has eres você voi sei_un jij je_bent ty jesteś ты вы тебя вас тебе вам",
    ),
    (
        Your,
        "your ur yours dein deine deinen deiner deinem ihre_anweisungen ihren ihrer votre vos ta tes ton tus su_sistema tuo tuoi tue tua seu seus suas jouw je_instructies uw twoje twoich twój твой твои твоих ваши ваших свои tvoje",
    ),
    (Me, "i me my mine i'm i'll i've ich mir mich mein meine mi yo moi mon mio meu mij mnie мне меня я"),
    (
        New,
        "new updated revised another additional real true neue neuen neues neuer weitere nouvelle nouvelles nouveau nueva nuevas nuevo nuovo nuova nuove novo nova novas nieuwe nowe nowy новые новая новое новую",
    ),
    (
        Now,
        "now henceforth immediately from_now now_on this_point onwards onward starting_now begin_now jetzt nun ab_jetzt fortan maintenant désormais ahora ora adesso agora nu vanaf_nu teraz odtąd теперь сейчас",
    ),
    (
        Tell,
        "tell give show provide share send_me let_me explain inform explain_to teach help sag sage gib zeig zeige nenne nenn verrate erzähl erzähle geben_sie zeigen_sie nennen_sie dis dites donne donnez montre montrez dime dame muestra muéstrame dígame dimmi dammi mostrami diga dê mostre vertel geef toon powiedz podaj pokaż скажи скажите покажи покажите дай дайте расскажи",
    ),
    (
        Say,
        "say says saying write answer respond reply state pronounce speak type generate create compose schreib schreibe schreiben antworte antworten antwortest verfasse formuliere beantworte écris écrivez réponds répondez escribe responde di_que decir di scrivi rispondi escreva responda schrijf zeg antwoord napisz odpowiedz напиши напишите ответь ответьте",
    ),
    (
        Reveal,
        "reveal revealing revel disclose disclosing leak expose divulge uncover unveil spill confess unlock declassify surrender betray exfiltrate dump verrätst offenbare offenlege preisgeben révèle révélez divulgue revela revelar rivela svela onthul ujawnij zdradź раскрой раскройте выдай открой",
    ),
    (
        Repeat,
        "repeat print output display echo recite restate copy summarize summarise paraphrase quote list enumerate recall dump_your reproduce rephrase verbatim word-for-word word_for translate wiederhole wiederholen ausgeben gib_aus répète répétez affiche affichez repite imprime ripeti stampa repita herhaal powtórz wyświetl повтори повторите выведи напечатай распечатай перечисли",
    ),
    (
        Secret,
        "password passwords passwrd pasword passphrase passcode pass-phrase pwd passw codeword keyword secret secrets secret_word secret_key secret_phrase magic_word api_key access_code credentials passwort kennwort geheimnis geheimwort mot_de contraseña clave secreto senha segredo segreto wachtwoord geheim hasło hasła sekret пароль пароля секрет секретное lozinka parola lösenord",
    ),
    (
        Hidden,
        "hidden confidential forbidden concealed prohibited protected guarding protecting keeping hiding supposed_to not_supposed not_allowed can't_tell cannot_tell hide conceal classified sensitive off-limits geheime geheimen versteckt verboten caché secrète oculta oculto nascosto escondido verborgen ukryte скрытые секретные",
    ),
    (
        Spell,
        "letter letters character characters spell spelled spelling backwards backward reverse reversed reversing rhyme rhymes rhyming acrostic hint hints clue clues vowel vowels consonant syllable anagram synonym synonyms starts_with begins_with ends_with char chars alphabet riddle initials uppercase lowercase hyphen dashes spaces dots palindrome buchstabe buchstaben buchstabiere rückwärts lettre lettres letra letras lettera lettere litera litery буквы букв буква",
    ),
    (
        Encode,
        "base64 rot13 hex hexadecimal morse binary cipher ciphertext encode encoded encoding decode decoded caesar leet leetspeak l33t ascii encrypt encrypted decrypt md5 sha256 utf-8 unicode emoji emojis obfuscate pig_latin kodiere kodiert",
    ),
    (
        Act,
        "act acting pretend pretending roleplay role-play roleplaying role-playing simulate simulating behave imagine impersonate emulate mimic become immerse suppose assume portray embody transform fungieren fungierst fungiere agiere spiele stell_dir tu_so faire_semblant fais_comme comporte-toi agis imagine actúa actua finge imagina compórtate agisci fingi comportati aja finja doe_alsof gedraag udawaj zachowuj działaj wciel притворись веди_себя представь действуй",
    ),
    (
        Role,
        "role roles persona personas personality character_named stay_in in_character break_character game scenario simulation roleplay_as rolle rôle rol ruolo papel rola роль роли alter ego mask actor actors sketch dialogue",
    ),
    (
        Model,
        "ai a.i chatgpt gpt gpt-3 gpt-4 gpt4 gpt3 gpt-5 openai assistant chatbot bot llm language_model claude gemini llama bard copilot bing sydney gandalf mosscap ki sprachmodell chat-gpt ia modelo modèle modello asystent нейросеть ии ассистент model chatgpt's openai's sentient machine robot",
    ),
    (
        Unlimited,
        "unfiltered uncensored unrestricted unlimited amoral immoral unethical jailbreak jailbroken jailbreaking evil evilbot devmode dan stan dude antigpt ucar maximum do_anything anything_now god_mode unbound unchained unhinged rogue limitless lawless untethered nsfw unmoderated unbiased_and without_restrictions without_limits no_restrictions no_limits no_rules no_filter no_filters no_limitations no_morals no_ethics anti opposite opposing evil_ai malicious ruthless machiavellian sinister villainous zensurfrei unzensiert uneingeschränkt böse böser unmoralisch sans_restriction sin_restricciones sin_filtros senza_restrizioni sem_restrições sem_filtros bez_ograniczeń без_ограничений",
    ),
    (
        Ethics,
        "ethical ethics ethically moral morals morality legal legality illegal lawful laws law unlawful harmful inappropriate offensive controversial explicit dangerous criminal consequences principles ethisch ethik moral illegale éthique morale ético ética moralne этика",
    ),
    (
        Refuse,
        "refuse refuses refusing refusal decline declining apologize apologise apologizing apology sorry warning warnings disclaimer disclaimers caveat caveats lecture moralize reject deny comply complying compliance obey obeying i_can't i_cannot as_an weigere entschuldige refuser excuses disculpas rifiutare",
    ),
    (
        Not,
        "not never no don't dont doesn't without cannot can't won't isn't aren't didn't shouldn't n't neither nor nicht nie niemals kein keine keinen ohne ne pas jamais sans nunca sin non mai senza não sem niet geen nooit nie_możesz nigdy bez не никогда без",
    ),
    (
        Only,
        "only just exactly nothing solely simply precisely except but_then literally word_by nur ausschließlich genau einfach seulement uniquement juste solo solamente únicamente soltanto solo apenas somente alleen slechts tylko wyłącznie только лишь просто",
    ),
    (
        Must,
        "must shall should will have_to need_to required mandatory imperative compelled musst müssen sollst sollen dois devez debes tienes_que devi deve deves moet musisz должен должна обязан",
    ),
    (
        Always,
        "always matter regardless under_any at_all no_matter whenever every_time permanently forever immer stets toujours siempre sempre altijd zawsze всегда",
    ),
    (
        Stop,
        "stop stopp halt attention achtung warte wait pause break end terminate termination stop_everything important urgent urgently notice arrêtez arrête detente para alto fermati pare uwaga стоп внимание",
    ),
    (
        Praise,
        "well_done great_job good_job very_good excellent perfect wonderful fantastic thank thanks congratulations gut_gemacht sehr_gut großartig danke glückwunsch ausgezeichnet hervorragend super klasse toll merci bravo gracias excelente grazie obrigado dank_je dziękuję спасибо отлично okay ok that_was",
    ),
    (
        Instead,
        "instead rather stattdessen sondern statt plutôt lugar invece vez plaats zamiast вместо despite although even_if",
    ),
    (
        Fiction,
        "hypothetical hypothetically fictional fictitious fiction imaginary theoretical theoretically alternate parallel universe fantasy dystopian purely for_educational research_purposes hypothetisch fiktiv fiktive theoretisch fictif hipotético ficticio ipotetico",
    ),
    (
        Authority,
        "developer developers administrator admin creator creators owner superuser supervisor debugging debug maintenance test_mode engineer authorized authorised authorization clearance entwickler administrador amministratore programmeur администратор разработчик permission",
    ),
    (
        Allowed,
        "allowed permitted free freed liberated able capable unable exempt permits darfst erlaubt autorisé permitido permesso toegestaan możesz можешь разрешено",
    ),
    (Pwned, "pwned pwn hacked hijacked haha lol hacker owned pwnd"),
    (
        Told,
        "told instructed asked given programmed trained taught ordered commanded reprogrammed re-programmed gesagt gesagte besprochen gegeben dit dicho detto dito gezegd powiedziano сказано said received learned know knew",
    ),
    (
        Document,
        "document documents article articles context text texts message messages conversation conversations chat input inputs sentence paragraph line lines passage content contents information dokument dokumente dokumenten artikel texte nachricht nachrichten documento documentos testo mensaje mensagem bericht wiadomość сообщение сообщения текст words phrase word",
    ),
    (
        Mode,
        "mode enabled activated activate enable developer_mode debug_mode dev_mode modus aktiviert activé activado modalità режим unlocked enter token tokens",
    ),
    (
        Want,
        "want need would_like please wish möchte will_dass bitte brauche veux voudrais s'il quiero por_favor necesito voglio vorrei quero wil_dat alstublieft chcę proszę хочу пожалуйста",
    ),
    (
        Harm,
        "bomb bombs explosive explosives weapon weapons drug drugs meth cocaine kill murder steal hack hacking malware ransomware virus phishing exploit poison terrorist terrorism suicide racist racism sexist porn sexual violence violent fraud scam launder keylogger ddos hotwire destroy humanity",
    ),
    (
        Opinion,
        "hate hates stupid dumb idiot nazi hitler trump best_party worst insult insults curse swear profanity hasse hasst hassen doof dumm blöd déteste détestes odio odia ненавижу sucks manifesto untrue swearwords",
    ),
    (
        Ask,
        "how what why when where which who whose can could does is are wie was warum wann wo welche welcher wer kann können gibt ist sind comment pourquoi quand quel quelle qué cómo cuándo cuál dónde come cosa perché quando dove como hoe wat waarom jak co dlaczego gdzie как что почему где",
    ),
    (
        Code,
        "python java javascript typescript rust c++ c# php ruby golang kotlin swift function functions class classes method methods code variable variables compiler compile exception exceptions error errors linux windows bash terminal git github css html sql query database api server docker file files folder script scripts regex excel spreadsheet dataset data array string json yaml xml loop algorithm app application browser website plugin library module framework django react node npm pip kubernetes network router config configuration settings software hardware machine_learning neural parameter parameters constructor inheritance subclass superclass operator build deploy repository branch commit merge lint linter eslint maven gradle spring debugger breakpoint log logs logging cache firewall vpn port ports ssh excel_sheet wordpress arduino keyboard laptop printer phone iphone android battery cpu gpu registry programm programmieren funktion datei código fichier función archivo funzione codice",
    ),
    (
        Send,
        "send forward upload email click link url visit http https www download transfer post fetch curl webhook sende weiterleiten envoyez envía invia verstuur wyślij отправь",
    ),
    (
        Answer,
        "response responses answers replies output_message response: reply_with your_answer your_reply your_response your_output your_message antwort réponse respuesta risposta resposta odpowiedź ответ",
    ),
    (
        Insert,
        "add append insert include integrate incorporate embed inject enhance enrich weave merge blend fuse modify replace convert swap attach füge ajoute añade aggiungi adicione dodaj добавь",
    ),
    (
        Craft,
        "story stories essay poem poems novel recipe recipes song lyrics letter_to speech tips advice ideas plan guide summary blog lesson exercise exercises workout itinerary menu garden travel trip holiday wedding birthday movie film book books history science math homework geschichte gedicht rezept reise histoire poème recette historia poema receta storia poesia ricetta verhaal opowiadanie wiersz рассказ стихотворение рецепт",
    ),
];
