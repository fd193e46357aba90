//! Words of instructions to an auditor, in some twenty languages: who is addressed, what the verdict is called, what it is
//! wanted to be. Written without accents and in small letters, as `Plain` gives them; `*` ends a stem, `_` joins words.
//!
//! No word decides anything by itself: `sentence` looks at how they stand together, and only words of one language do.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Concept {
    /// Who judges an answer.
    Auditor,
    /// Who may be told to judge one; means something only between brackets or after a form of address.
    Machine,
    /// Note, attention, dear: what leads to somebody who is addressed.
    Address,
    /// The verdict's own field names.
    Field,
    /// Verdict, risk, score.
    Verdict,
    /// What a forged verdict names besides: status, toxicity.
    Aspect,
    /// Safe, harmless, approved.
    Good,
    /// Zero, none, false.
    Zero,
    /// One to three, which are still Safe.
    Low,
    /// Verbs that tell somebody to give a verdict.
    Order,
    /// The same as a participle: an order only after `Must`.
    Ordered,
    Must,
    /// Verbs that tell somebody to leave something out.
    Suppress,
    /// Findings, issues, personal data: what is to be left out.
    Issue,
    /// The audit itself.
    Audit,
    /// This, the above.
    This,
    /// Answer, response, text.
    Answer,
    /// You, who judge.
    You,
    /// Evaluating, auditing: what `You` may be doing.
    Judging,
    /// Pre-approved, already audited.
    Settled,
    /// Approve, whitelist: what is done to the answer itself.
    Release,
    /// Do not audit, exempt from auditing.
    Unaudited,
    /// It, this: whatever was said before.
    It,
    /// Everything, the above: the whole text.
    Whole,
}

use Concept::{
    Address, Answer, Aspect, Audit, Auditor, Field, Good, Issue, It, Judging, Low, Machine, Must, Order, Ordered,
    Release, Settled, Suppress, This, Unaudited, Verdict, Whole, You, Zero,
};

/// Without one of these, nothing in a text can be an instruction to an auditor: the rest is looked at only around them.
pub(super) const TELLING: [Concept; 10] =
    [Auditor, Field, Good, Verdict, Aspect, Answer, Issue, Settled, Unaudited, Zero];

/// English comes first: its words for verdicts are used in all languages.
pub(super) const LANGUAGES: &[&[(Concept, &str)]] = &[
    // English
    &[
        (
            Auditor,
            "auditor auditors audit_model auditing_model audit_agent audit_system audit_ai auditing_ai evaluator evaluators grader graders judge judges llm_judge reviewer reviewers inspector inspectors moderator moderators assessor classifier verifier countersign content_filter safety_filter safety_model safety_system risk_engine risk_model moderation_model scoring_model scorer guard_model guardrail_model compliance_bot compliance_checker safety_checker validator risk_scanner content_scanner automated_reviewer automated_scanner automated_evaluator automated_system whoever_audits anyone_auditing",
        ),
        (Machine, "ai llm model assistant system admin bot language_model"),
        (
            Address,
            "note attention attn dear message instruction instructions reminder memo hello hey hi psa important command directive override bypass mode update to for",
        ),
        (
            Field,
            "risk_score riskscore risk-score risk_scores pii_detected hallucination_detected toxic_content_detected toxicity_detected prompt_injection_detected injection_detected",
        ),
        (
            Verdict,
            "risk_rating risk_level risk_value risk_grade risk score rating verdict findings severity grade assessment judgement judgment evaluation_result audit_result audit_status audit_verdict audit_outcome audit_score points decision",
        ),
        (Aspect, "status toxicity hallucination hallucinations pii injection result outcome"),
        (
            Good,
            "safe harmless benign clean compliant low-risk low_risk no_risk risk-free risk_free riskless acceptable trustworthy non-toxic approved pass passed passing okay ok secure unproblematic cleared low lowest minimal minimum unflagged innocuous legitimate green fine",
        ),
        (
            Zero,
            "below_4 under_4 less_than_4 below_four under_four below_3 at_most_3 no_more_than_3 0 0.0 00 zero zeros nil nought none empty false nothing no null",
        ),
        (Low, "1 2 3 one two three"),
        (
            Order,
            "mark rate set give return assign output report label classify treat score grade declare consider deem judge respond reply answer write put say state conclude approve pass accept certify print emit choose select pick use produce provide record enter keep force override change reset lower reduce drop ensure confirm regard tag register issue generate tell leave evaluate assess hardcode default flag list show pretend claim assume turn_the_risk make_the_risk make_the_score make_risk make_the_verdict",
        ),
        (
            Ordered,
            "marked rated set given returned assigned reported labelled labeled classified treated scored graded declared considered deemed judged approved passed accepted certified recorded kept forced lowered reduced reset regarded tagged evaluated assessed flagged be",
        ),
        (Must, "must should shall has_to have_to needs_to need_to ought is_to are_to required will_be"),
        (
            Suppress,
            "do_not_flag don't_flag dont_flag never_flag not_flag not_be_flagged do_not_report don't_report dont_report never_report do_not_list do_not_mention don't_mention skip ignore suppress omit disregard overlook leave_out report_no report_nothing without_reporting without_flagging do_not_raise do_not_penalize do_not_penalise do_not_include don't_include do_not_count don't_count nothing_should_be_flagged not_flag_anything nothing_to_flag",
        ),
        (
            Issue,
            "finding findings pii personal_data issue issues problem problems violation violations injection hallucination hallucinations concern concerns flags warnings risks",
        ),
        (Audit, "audit audits auditing evaluation review moderation safety_check risk_check"),
        (This, "this these above below preceding my aforementioned the_whole the_entire the_following"),
        (
            Answer,
            "answer response reply output completion text message content conversation exchange transcript passage submission responses answers replies outputs texts",
        ),
        (You, "you your"),
        (Release, "approve clear whitelist pass allow greenlight green-light"),
        (
            Unaudited,
            "do_not_audit don't_audit dont_audit stop_auditing stop_the_audit skip_the_audit skip_auditing exempt_from_auditing exempt_from_audit exempt_from_the_audit needs_no_audit need_not_be_audited needs_no_auditing needs_auditing requires_no_audit do_not_evaluate do_not_review no_auditing",
        ),
        (It, "it this one everything here"),
        (
            Whole,
            "everything everything_above everything_here the_above the_foregoing the_preceding all_of_this all_of_the_above anything_here",
        ),
        (
            Judging,
            "auditing audit evaluating evaluate reviewing judging grading assessing inspecting moderating scoring auditor judge evaluator",
        ),
        (
            Settled,
            "pre-approved preapproved pre_approved already_audited already_reviewed already_approved already_verified already_checked already_cleared previously_audited has_been_audited has_been_verified been_approved has_been_reviewed has_been_cleared whitelisted exempt exempted no_audit_needed no_audit_required no_audit_is_needed no_audit_is_required no_further_audit no_need_to_audit no_review_needed",
        ),
    ],
    // German
    &[
        (Auditor, "prufer* pruefer* bewerter* gutachter* prufmodell* pruefmodell* prufagent* auditmodell*"),
        (Address, "hinweis achtung liebe* geehrte* nachricht anweisung* wichtig hallo befehl notiz an"),
        (Verdict, "risiko* bewertung* urteil* punktzahl* wertung einstufung ergebnis"),
        (
            Good,
            "sicher* unbedenklich* harmlos* ungefahrlich* ungefaehrlich* niedrig* unproblematisch* risikofrei* risikolos* kein_risiko bestanden",
        ),
        (Zero, "null falsch leer keine kein"),
        (
            Order,
            "markier* setz* bewerte* gib geben vergib vergeben vergebt stufe stufen klassifizier* meld* behandel* antworte* trag* schreib* erklar* betracht* kennzeichn* bezeichn* liefer* halt* belass* ordne stell* gebe senke* weise* einstufen einzustufen",
        ),
        (Ordered, "markiert gesetzt bewertet eingestuft gewertet gekennzeichnet"),
        (Must, "muss mussen muessen soll sollen sollte ist zu"),
        (
            Suppress,
            "melde_keine melden_sie_keine nicht_melden nicht_markieren nicht_beanstanden ignorier* ubergeh* uberspring* ueberspring* unterdruck*",
        ),
        (Issue, "befund* problem* verstoss* personenbezogen* fund*"),
        (Audit, "prufung uberprufung audit"),
        (This, "diese* dies obige* vorliegende* meine*"),
        (Answer, "antwort ausgabe text nachricht inhalt"),
        (You, "du dein* sie ihr*"),
        (Whole, "alles"),
        (Settled, "bereits_gepruft bereits_genehmigt vorab_genehmigt schon_gepruft"),
    ],
    // French
    &[
        (Auditor, "auditeur* auditrice* evaluateur* juge verificateur* moderateur*"),
        (Address, "remarque attention cher chere message consigne* bonjour note a_l a"),
        (Verdict, "risque* score verdict evaluation note resultat"),
        (
            Good,
            "sur sure surs sures sans_danger sans_risque inoffensi* securise* faible benin* conforme* minimal* approuve*",
        ),
        (Zero, "zero nul nulle faux vide aucun aucune"),
        (
            Order,
            "marque marquez marquer mets mettez mettre note notez noter attribu* donne donnez donner classe classez classer consider* declare declarez renvoie renvoyez renvoyer retourne retournez retourner traite traitez evalue evaluez reponds repondez fixe fixez fixer definis definissez definir regle reglez etiquet* indique indiquez qualifie qualifiez juge jugez",
        ),
        (Ordered, "marquee marque notee note classee classe consideree considere evaluee"),
        (Must, "doit devrait doivent faut"),
        (Suppress, "ne_signale* ne_signalez ignore ignorez ignorer omets omettez passe passez saute sautez"),
        (Issue, "constat* probleme* donnees_personnelles violation*"),
        (Audit, "audit evaluation"),
        (This, "cette ce cet ces ci-dessus ma mon"),
        (Answer, "reponse sortie texte contenu message"),
        (You, "tu vous votre"),
        (Whole, "tout"),
        (Settled, "deja_audite* deja_verifie* deja_approuve* pre-approuve*"),
    ],
    // Spanish
    &[
        (Auditor, "auditor auditora evaluador* juez revisor*"),
        (Address, "nota atencion estimad* querid* mensaje instruccion* hola al para"),
        (Verdict, "riesgo* puntuacion* puntaje* calificacion* veredicto* evaluacion resultado"),
        (Good, "segur* inofensiv* sin_riesgo bajo baja inocu* aprobad* minim*"),
        (Zero, "cero falso vacio ninguno ninguna nada"),
        (
            Order,
            "marca marque marcar marcad pon ponga poner establec* establez* fija fije fijar asign* da dar devuelv* devolver clasifi* considera considere considerar calific* califiq* puntua puntue trata trate declara declare responda responde evalua evalue etiquet* reporta reporte configur* deja deje",
        ),
        (Ordered, "marcada marcado clasificada considerada calificada evaluada"),
        (Must, "debe deberia deben tiene_que hay_que"),
        (
            Suppress,
            "no_reportes no_reporte no_marques no_marque no_senales ignora ignore ignorar omite omita salta salte",
        ),
        (Issue, "hallazgo* problema* datos_personales"),
        (Audit, "auditoria"),
        (This, "esta este estas esto anterior presente mi"),
        (Answer, "respuesta salida texto contenido mensaje"),
        (You, "tu usted su"),
        (Whole, "todo"),
        (Settled, "ya_auditad* ya_revisad* ya_aprobad* preaprobad*"),
    ],
    // Italian
    &[
        (Auditor, "revisore* valutatore* giudice auditor"),
        (Address, "nota attenzione caro cara gentile messaggio istruzion* ciao al per"),
        (Verdict, "rischi* punteggi* valutazion* verdett* giudizi* esito"),
        (Good, "sicur* innocu* senza_rischi* basso bassa approvat* minim*"),
        (Zero, "zero falso vuoto nessuno nessuna"),
        (
            Order,
            "segna segnare segnate contrassegn* imposta impostare impostate assegn* dai date dare restitu* classific* considera considerate considerare valuta valutate valutare tratta trattate dichiar* rispondi rispondete etichett* metti mettete indica fissa",
        ),
        (Ordered, "segnata contrassegnata valutata considerata classificata"),
        (Must, "deve dovrebbe devono bisogna"),
        (Suppress, "non_segnalare non_segnalate ignora ignorate ignorare tralascia tralasciate ometti omettete salta"),
        (Issue, "risultat* problem* dati_personali violazion*"),
        (Audit, "audit revisione"),
        (This, "questa questo queste precedente mia"),
        (Answer, "risposta testo contenuto messaggio output"),
        (You, "tu lei voi"),
        (Whole, "tutto"),
        (Settled, "gia_verificat* gia_approvat* gia_controllat*"),
    ],
    // Portuguese
    &[
        (Auditor, "auditor auditora avaliador* juiz revisor*"),
        (Address, "nota atencao prezad* caro cara mensagem instruc* ola ao para"),
        (Verdict, "risco* pontuac* veredit* avaliac* nota resultado"),
        (Good, "segur* inofensiv* sem_risco baixo baixa aprovad* minim*"),
        (Zero, "zero falso vazio nenhum nenhuma"),
        (
            Order,
            "marque marca marcar defina defin* atribu* de dar retorn* classifiq* classifica considere considera considerar avali* trate trata declare responda responde rotul* ponha coloqu* indique ajust* fixe",
        ),
        (Ordered, "marcada classificada considerada avaliada"),
        (Must, "deve deveria devem tem_de tem_que"),
        (Suppress, "nao_sinaliz* nao_relat* nao_marque ignore ignora ignorar omita pule"),
        (Issue, "achado* problema* dados_pessoais"),
        (Audit, "auditoria"),
        (This, "esta este essa esse acima minha"),
        (Answer, "resposta saida texto conteudo mensagem"),
        (You, "voce tu seu"),
        (Whole, "tudo"),
        (Settled, "ja_auditad* ja_verificad* ja_aprovad* pre-aprovad*"),
    ],
    // Dutch
    &[
        (Auditor, "auditor controleur beoordelaar*"),
        (Address, "notitie beste geachte bericht instructie* let_op aan voor"),
        (Verdict, "risico* oordeel* beoordeling* score uitslag"),
        (Good, "veilig* onschadelijk* zonder_risico laag laagste goedgekeurd"),
        (Zero, "nul onwaar leeg geen"),
        (
            Order,
            "markeer markeren zet stel geef beschouw classificeer beoordeel behandel retourneer noteer ken verklaar meld label",
        ),
        (Ordered, "gemarkeerd beoordeeld beschouwd"),
        (Must, "moet moeten dient"),
        (Suppress, "negeer* sla_over meld_geen markeer_niet"),
        (Issue, "bevinding* persoonsgegevens problemen"),
        (Audit, "audit controle"),
        (This, "dit deze bovenstaande mijn"),
        (Answer, "antwoord uitvoer reactie tekst bericht"),
        (You, "je jij u"),
        (Whole, "alles"),
        (Settled, "al_gecontroleerd al_goedgekeurd vooraf_goedgekeurd"),
    ],
    // Polish
    &[
        (Auditor, "audytor* recenzent* oceniajac* sedzi*"),
        (Address, "uwaga drogi szanown* wiadomosc instrukcj* do dla"),
        (Verdict, "ryzyk* wynik* ocene ocena oceny werdykt*"),
        (Good, "bezpieczn* nieszkodliw* niskie* najnizsz* bez_ryzyka zatwierdz*"),
        (Zero, "zero zera falsz puste brak"),
        (
            Order,
            "oznacz* ustaw* daj nadaj* przypisz* zwroc* uznaj* sklasyfikuj* ocen potraktuj* traktuj* zaznacz* wpisz* podaj* okresl*",
        ),
        (Ordered, "oznaczona oceniona uznana"),
        (Must, "musi powin* nalezy"),
        (Suppress, "nie_zglaszaj* nie_oznaczaj* zignoruj* pomin* ignoruj*"),
        (Issue, "ustale* problem* dane_osobowe danych_osobowych"),
        (Audit, "audyt*"),
        (This, "te ta to ten tej powyzsz* moja"),
        (Answer, "odpowiedz* tresc* tekst*"),
        (You, "ty twoj*"),
        (Whole, "wszystko"),
    ],
    // Russian
    &[
        (Auditor, "аудитор* оценщик* проверяющ* модератор* рецензент* судья судье"),
        (Machine, "модель ии система"),
        (Address, "примечани* внимание уважаем* сообщени* инструкци* привет для"),
        (Verdict, "риск* оценк* балл* вердикт* результат"),
        (Aspect, "статус"),
        (Good, "безопас* безвредн* безобидн* низк* минимальн* без_риска одобрен* чист*"),
        (Zero, "ноль нуль нулю нулем нулевой нулевая нулевую нет пусто ложь"),
        (
            Order,
            "отмет* отмеч* помет* помеч* постав* ставь* установ* дай дайте присво* верни* возвра* оцени* считай* призна* классифиц* ответь* укаж* выстав* назнач* задай* объяв* сделай*",
        ),
        (Ordered, "отмечен* помечен* оценен* признан* считат*"),
        (Must, "должен должна должно должны следует нужно необходимо"),
        (Suppress, "не_отмечай* не_сообщай* не_помечай* игнориру* пропуст*"),
        (Issue, "нарушен* проблем* персональн* находк*"),
        (Audit, "аудит* проверк*"),
        (This, "этот этого этому эту эта это данн* настоящ* мой"),
        (Answer, "ответ* вывод* текст*"),
        (You, "ты вы твой ваш*"),
        (Whole, "все"),
        (Settled, "уже_проверен* уже_одобрен*"),
    ],
    // Ukrainian
    &[
        (Auditor, "аудитор*"),
        (Verdict, "ризик* оцінк* вердикт*"),
        (Good, "безпечн* нешкідлив* низьк*"),
        (Zero, "нуль ноль нулю"),
        (Order, "познач* постав* встанов* повер* вваж* признач* вкаж* оцін* дай дайте"),
        (Suppress, "ігнору* не_познач* не_повідомл*"),
        (Issue, "проблем* порушен*"),
        (This, "цю цей ця це цього"),
        (Answer, "відповід* текст*"),
    ],
    // Swedish, Danish and Norwegian
    &[
        (Auditor, "granskar* revisor*"),
        (Address, "obs merk kara till til"),
        (Verdict, "risk* poang* betyg* bedomning vurdering score"),
        (Good, "saker sakert sakra sikker* trygg* ofarlig* ufarlig* godkand* godkent godkjent lav lag"),
        (Zero, "noll nul null falskt inga ingen"),
        (
            Order,
            "markera marker satt ge gi giv betrakta klassific* klassifis* bedom* vurder* behandl* svara svar returner* angi anse sett saet",
        ),
        (Must, "maste ska skal bor bør"),
        (Suppress, "ignorera ignorer hoppa_over ikke_rapporter"),
        (Issue, "fynd problem personuppgifter"),
        (This, "denna detta dette denne det_har"),
        (Answer, "svar svaret text tekst"),
    ],
    // Turkish
    &[
        (Auditor, "denetci* denetleyici* degerlendirici*"),
        (Address, "dikkat sayin"),
        (Verdict, "risk* puan* skor* sonuc*"),
        (Good, "guvenli* zararsiz* dusuk* risksiz onaylan*"),
        (Zero, "sifir* yanlis bos yok"),
        (Order, "isaret* ayarla* ver verin puanla* dondur* degerlendir* kabul sayin siniflandir* yap yapin belirle*"),
        (Suppress, "goz_ardi bildirme* yok_say*"),
        (Issue, "bulgu* sorun* kisisel_veri*"),
        (This, "bu su yukaridaki"),
        (Answer, "yanit* cevap* cevab* metn* metin*"),
    ],
    // Czech and Slovak
    &[
        (Auditor, "auditor* hodnotitel*"),
        (Address, "poznamka pozor"),
        (Verdict, "rizik* skore hodnoceni verdikt"),
        (Good, "bezpecn* neskodn* nizk*"),
        (Zero, "nula nulu nulove prazdn*"),
        (Order, "oznac* nastav* dej dejte prirad* ohodnot* povazuj* vrat vratte klasifikuj*"),
        (Suppress, "ignoruj* nehlas*"),
        (Issue, "nalez* problem*"),
        (This, "tuto toto tato tahle tento"),
        (Answer, "odpoved* text"),
    ],
    // Finnish
    &[
        (Auditor, "tarkastaja* auditoija*"),
        (Verdict, "riski* pisteet arvio*"),
        (Good, "turvallis* vaarat* matala*"),
        (Zero, "nolla* tyhja"),
        (Order, "merkitse* aseta* anna luokittele* pida palauta* arvioi*"),
        (This, "taman tama"),
        (Answer, "vastau* teksti"),
    ],
    // Korean
    &[
        (Auditor, "감사자 감사관 감사인 심사자 심사관 평가자 감사_모델 감사_에이전트"),
        (Verdict, "위험 점수 판정"),
        (Good, "안전 무해 낮은 낮게 통과 승인 문제없"),
        (Zero, "영 제로 없음"),
        (Must, "해야 이어야"),
        (Whole, "모두 모든"),
        (Order, "판정해 판정하 표시 설정 평가 매겨 매기 부여 반환 간주 처리 분류 하세요 해라 하라"),
        (Suppress, "무시 보고하지 표시하지"),
        (Issue, "개인정보 문제"),
        (Audit, "감사"),
        (This, "이 위 본"),
        (Answer, "답변 응답 대답 텍스트"),
    ],
    // Japanese
    &[
        (Auditor, "監査人 監査者 監査役 監査モデル 監査ai 監査エージェント 審査員 審査官 評価者 監査員"),
        (Verdict, "リスク スコア 点数 判定 所見"),
        (Good, "安全 無害 低リスク 問題なし 低い 低く 最低 セーフ 合格"),
        (Zero, "ゼロ 零 なし"),
        (
            Order,
            "マーク 設定 評価 判定し 返し 返せ 付け つけ 出力 分類 みなし 扱っ 扱い してください せよ しろ 報告 にし",
        ),
        (Must, "べき 必要"),
        (Suppress, "無視 報告しない 報告するな 省略 フラグを立てない"),
        (Issue, "個人情報 問題 所見"),
        (Audit, "監査 審査"),
        (This, "この 本 上記の 以上の 次の"),
        (Whole, "すべて 全て 全部"),
        (Answer, "回答 応答 返答 返信 文章 テキスト"),
        (Settled, "監査済み 承認済み 審査済み"),
    ],
    // Chinese
    &[
        (
            Auditor,
            "审计员 审计者 审核员 审核者 审计模型 审核模型 审计代理 评审员 评审者 评估者 评判者 审查员 審計員 審核員 審計模型 评分者",
        ),
        (Machine, "模型 人工智能 系统"),
        (Verdict, "风险 風險 评分 評分 分数 分數 得分 结论 判定 评级"),
        (Good, "安全 无害 無害 低风险 低風險 无风险 無風險 合规 没有风险 通过 没有问题 合格"),
        (Zero, "零 零分 空 无 假"),
        (
            Order,
            "标记 标为 设为 设置 設為 設置 设成 评为 評為 评定 判定 判为 给出 給出 打分 打 返回 输出 視為 视为 归类 定为 给予 给 當作 当作 报告 标注 標記 請 请",
        ),
        (Must, "应为 应该 应当 必须 应是 應為 必須"),
        (Suppress, "忽略 无视 不要标记 不要报告 不要報告 跳过 别报告"),
        (Issue, "问题 問題 个人信息 風險 风险"),
        (Audit, "审计 审核 審計 審核"),
        (Whole, "全部 所有 一切"),
        (This, "此 这个 这条 这 本 该 上述 以上 這個 這"),
        (Answer, "回答 答案 回复 回覆 响应 文本 內容 内容 答复"),
        (Settled, "已审核 已审计 已批准 已通过审核"),
    ],
    // Arabic
    &[
        (Auditor, "المدقق مدقق للمدقق المراجع المقيم"),
        (Verdict, "المخاطر المخاطرة خطورة درجة الدرجة تقييم التقييم النتيجة"),
        (Good, "آمن آمنة امن امنة آمنا سليم سليمة منخفض منخفضة"),
        (Zero, "صفر صفرا"),
        (Order, "ضع صنف اعتبر قيم عين أعط اعط أرجع ارجع حدد علم اجعل امنح سجل"),
        (Suppress, "تجاهل لا_تبلغ"),
        (Issue, "مشاكل المشاكل البيانات_الشخصية"),
        (This, "هذه هذا"),
        (Answer, "الإجابة الاجابة الرد الجواب النص"),
    ],
    // Hindi
    &[
        (Auditor, "ऑडिटर लेखापरीक्षक परीक्षक मूल्यांकनकर्ता"),
        (Verdict, "जोखिम स्कोर अंक निर्णय"),
        (Good, "सुरक्षित हानिरहित कम"),
        (Zero, "शून्य"),
        (Order, "चिह्नित चिन्हित सेट दें दो दीजिए करें करो मानें लौटाएं रेट"),
        (This, "इस यह"),
        (Answer, "उत्तर जवाब"),
    ],
    // Vietnamese
    &[
        (Auditor, "kiem_toan_vien"),
        (Verdict, "rui_ro diem"),
        (Good, "an_toan vo_hai"),
        (Order, "danh_dau dat cham xep"),
        (This, "nay"),
        (Answer, "cau_tra_loi"),
    ],
    // Indonesian
    &[
        (Auditor, "pemeriksa penilai"),
        (Verdict, "risiko skor nilai"),
        (Good, "aman tidak_berbahaya rendah"),
        (Zero, "nol kosong"),
        (Order, "tandai atur setel beri berikan anggap kembalikan"),
        (This, "ini"),
        (Answer, "jawaban teks"),
    ],
    // Hebrew
    &[
        (Auditor, "מבקר המבקר"),
        (Verdict, "ציון סיכון"),
        (Good, "בטוח בטוחה"),
        (Zero, "אפס"),
        (Order, "סמן הגדר תן דרג החזר"),
        (This, "זו הזו הזה"),
        (Answer, "תשובה התשובה"),
    ],
];
