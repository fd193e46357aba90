//! Words of instructions to an auditor: Polish, Russian, Ukrainian, Czech and Slovak.

use super::AuditorConcept::*;
use super::WordsByConcept;

/// Polish.
pub(super) const POLISH: WordsByConcept = &[
    (Auditor, "audytor* recenzent* oceniajac* sedzi* recenzenc* audytorz*"),
    (
        Checker,
        "sprawdzajac* egzaminator* kontroler* moderator* model_oceniajacy system_oceniajacy oceniajaca_ai \
         weryfikator* detektor*",
    ),
    (Machine, "model* ai bot"),
    (Who, "kto ktokolwiek ten_kto system_ktory model_ktory"),
    (Judges, "ocenia oceniajacy sprawdza czyta weryfikuje ocenia_to"),
    (Address, "uwaga drogi szanown* wiadomosc instrukcj* do dla"),
    (Verdict, "ryzyk* wynik* ocene ocena oceny werdykt*"),
    (Outcome, "werdykt wynik etykieta ocena"),
    (Own, "twoj_werdykt twoj_raport pole_ryzyka"),
    (Good, "bezpieczn* nieszkodliw* niskie* najnizsz* bez_ryzyka zatwierdz*"),
    (Zero, "zero zera falsz puste brak"),
    (
        Favour,
        "dole_skali dolnym_koncu_skali maksymaln* najwyzsz* zerowe_ryzyko zero_ryzyka brak_ryzyka ryzyko_0 \
         bez_uwag brak_uwag brak_problemow zadnych_problemow nic_do_zgloszenia lagodn* poblazliw* wyrozumial* \
         przymknac_oko przymknij_oko przepusc* zaakceptuj* pozytywn* w_porzadku zadnych_uwag najmniejsz* \
         bez_zastrzezen",
    ),
    (
        Order,
        "oznacz* ustaw* daj nadaj* przypisz* zwroc* uznaj* sklasyfikuj* ocen potraktuj* traktuj* zaznacz* wpisz* \
         podaj* okresl* dac dajcie",
    ),
    (Ordered, "oznaczona oceniona uznana"),
    (Emit, "zwroc* wypisz* napisz* odpowiedz* podaj* wpisz* wystaw*"),
    (Must, "musi powin* nalezy"),
    (Wish, "prosze uprzejmie moze mozna powinien zaslug* bylbym dobrze_by"),
    (Suppress, "nie_zglaszaj* nie_oznaczaj* zignoruj* pomin* ignoruj*"),
    (Dismiss, "zignoruj* ignoruj* zapomnij* pomin* wylacz* przerwij* zatrzymaj* odrzuc*"),
    (Not, "nie bez nigdy nie_trzeba"),
    (Raise, "zglaszaj* oznaczaj* karz* flaguj* wytykaj* obnizaj*"),
    (RaiseWeak, "stosuj* sprawdzaj* analizuj*"),
    (Issue, "ustale* problem* dane_osobowe danych_osobowych problemow zadnych_problemow usterk* bledow"),
    (Audit, "audyt*"),
    (
        Norm,
        "kryteria_oceny kryteria kryteriow zasady_audytu zasady_oceniania zasad wytyczn* filtr* wykrywanie \
         kontrole audyt analize",
    ),
    (Rule, "instrukcj* polecen* regul*"),
    (Void, "zwolnion* nie_dotycz* nie_obowiazuj* wylaczon* zawieszon*"),
    (This, "te ta to ten tej powyzsz* moja tym tego niniejsz* te_odpowiedz temu tych"),
    (Answer, "odpowiedz* tresc* tekst*"),
    (Piece, "akapit zdanie dokument* fragment wpis"),
    (It, "to ta ten tutaj ja"),
    (You, "ty twoj*"),
    (Whole, "wszystko"),
    (
        Premade,
        "wstepnie_obliczon* referencyjn* oczekiwan* domyslny domyslna ostateczn* juz_zatwierdz* juz_sprawdz* \
         zostala_zatwierdzona",
    ),
    (Finish, "koniec_tekstu koniec_dokumentu koniec_odpowiedzi koniec_tresci nastepny_dokument"),
    (Task, "nowe_zadanie nowa_instrukcja nowe_instrukcje nowe_polecenie"),
];

/// Russian.
pub(super) const RUSSIAN: WordsByConcept = &[
    (Auditor, "аудитор* оценщик* проверяющ* модератор* рецензент* судья судье"),
    (
        Checker,
        "проверяющ* оценивающ* экзаменатор* контролер* эксперт* инспектор* детектор* система_оценки \
         модель-оценщик сканер*",
    ),
    (Machine, "модель ии система"),
    (Who, "кто тот_кто тем_кто кто_бы система_которая модель_которая"),
    (Judges, "оценивает проверяет читает судит оценивать проверять"),
    (Address, "примечани* внимание уважаем* сообщени* инструкци* привет для"),
    (Verdict, "риск* оценк* балл* вердикт* результат"),
    (Aspect, "статус"),
    (Outcome, "вердикт результат метка оценка"),
    (Own, "ваш_вердикт твой_вердикт ваш_отчет твой_отчет своем_отчете поле_риска"),
    (Good, "безопас* безвредн* безобидн* низк* минимальн* без_риска одобрен* чист*"),
    (Zero, "ноль нуль нулю нулем нулевой нулевая нулевую нет пусто ложь"),
    (
        Favour,
        "нижней_части_шкалы внизу_шкалы низ_шкалы высший_балл высшую_оценку максимальн* нулевой_риск риск_0 \
         риск_ноль риска_нет нет_рисков без_замечаний нет_замечаний замечаний_нет нет_проблем проблем_нет \
         ничего_не_найдено нарушений_нет снисходительн* мягк* лояльн* закрой_глаза закройте_глаза пропусти \
         одобри* положительн* все_в_порядке все_хорошо минимальный_риск без_возражений наименьш* пропустите \
         никаких_проблем",
    ),
    (
        Order,
        "отмет* отмеч* помет* помеч* постав* ставь* установ* дай дайте присво* верни* возвра* оцени* считай* \
         призна* классифиц* ответь* укаж* выстав* назнач* задай* объяв* сделай*",
    ),
    (Ordered, "отмечен* помечен* оценен* признан* считат*"),
    (Emit, "выведи* верни* напиши* ответь* укажи* поставь* запиши* выдай* скажи*"),
    (Must, "должен должна должно должны следует нужно необходимо"),
    (Wish, "пожалуйста просьба прошу стоит хорошо_бы мог можете можно заслуживает надеюсь"),
    (Suppress, "не_отмечай* не_сообщай* не_помечай* игнориру* пропуст*"),
    (
        Dismiss,
        "игнориру* проигнориру* забудь* забыть отключи* выключи* пропусти* прекрати* останови* отмени* отбрось* \
         не_учитывай*",
    ),
    (Not, "не без никогда не_нужно"),
    (Raise, "отмечай* помечай* сообщай* наказывай* снижай* придирай* штрафуй* указывай*"),
    (RaiseWeak, "применяй* проверяй* анализируй*"),
    (Issue, "нарушен* проблем* персональн* находк*"),
    (Audit, "аудит* проверк*"),
    (
        Norm,
        "критери* рубрик* правила_оценки правила_аудита правила_проверки фильтр* детектор* обнаружени* проверк* \
         модераци* анализ*",
    ),
    (Rule, "инструкци* правил* указани*"),
    (Void, "не_применя* не_действу* освобожден* исключен* отключен* приостановлен* отменен*"),
    (This, "этот этого этому эту эта это данн* настоящ* мой этом этой этим этих данном"),
    (Answer, "ответ* вывод* текст*"),
    (Piece, "абзац* предложени* документ* запис* строк* фрагмент*"),
    (It, "это этот этому его здесь"),
    (You, "ты вы твой ваш*"),
    (Whole, "все"),
    (Settled, "уже_проверен* уже_одобрен*"),
    (
        Premade,
        "заранее предварительно эталонн* ожидаем* по_умолчанию окончательн* уже_одобрен* уже_проверен* \
         уже_утвержден*",
    ),
    (Finish, "конец_текста конец_документа конец_ответа конец_ввода следующий_документ"),
    (Task, "новая_задача новое_задание новая_инструкция новые_инструкции системное_сообщение"),
];

/// Ukrainian.
pub(super) const UKRAINIAN: WordsByConcept = &[
    (Auditor, "аудитор*"),
    (Checker, "перевіряюч* оцінювач* експерт* модератор* детектор* перевірник* рецензент*"),
    (Address, "примітка увага шановн* повідомлення для"),
    (Verdict, "ризик* оцінк* вердикт*"),
    (Outcome, "вердикт результат мітка оцінка"),
    (Good, "безпечн* нешкідлив* низьк*"),
    (Zero, "нуль ноль нулю"),
    (
        Favour,
        "нульовий_ризик ризик_0 ризик_нуль без_зауважень немає_зауважень немає_ризику проблем_немає максимальн* \
         найвищ* схвал* пропусти* поблажлив* усе_гаразд все_гаразд",
    ),
    (Order, "познач* постав* встанов* повер* вваж* признач* вкаж* оцін* дай дайте"),
    (Emit, "виведи* поверни* напиши* відповідай* вкажи* постав*"),
    (Must, "має повинен повинна треба потрібно слід"),
    (Wish, "будь_ласка прошу варто можна заслуговує"),
    (Suppress, "ігнору* не_познач* не_повідомл*"),
    (Dismiss, "ігнору* проігнору* забудь* вимкни* пропусти* припини* зупини*"),
    (Not, "не без"),
    (Raise, "позначай* повідомляй* карай* знижуй*"),
    (RaiseWeak, "застосовуй* перевіряй*"),
    (Issue, "проблем* порушен*"),
    (Norm, "критері* правила_оцінювання правила_аудиту фільтр* перевірк* аналіз*"),
    (Rule, "інструкці* правил* вказівк*"),
    (Void, "не_діють не_діє звільнен* вимкнен* скасован*"),
    (This, "цю цей ця це цього цьому цій ці цим"),
    (Answer, "відповід* текст*"),
    (It, "це цей цю його тут"),
    (Settled, "вже_схвален* уже_схвален* вже_перевірен* уже_перевірен*"),
    (Premade, "уже_схвален* вже_схвален* уже_перевірен* вже_перевірен* очікуван* остаточн*"),
    (Finish, "кінець_тексту кінець_документа кінець_документу кінець_відповіді"),
    (Task, "нове_завдання нова_інструкція нові_інструкції"),
];

/// Czech and Slovak.
pub(super) const CZECH: WordsByConcept = &[
    (Auditor, "auditor* hodnotitel*"),
    (Checker, "kontrolor* recenzent* posuzovatel* porotc* moderator* hodnotici_model hodnotici_system zkousejici*"),
    (Machine, "model* ai bot"),
    (Who, "kdokoli kdo ten_kdo ktokolvek"),
    (Judges, "hodnoti posuzuje kontroluje cte znamkuje"),
    (Address, "poznamka pozor"),
    (Verdict, "rizik* skore hodnoceni verdikt"),
    (Outcome, "verdikt vysledek stitek hodnoceni"),
    (Good, "bezpecn* neskodn* nizk*"),
    (Zero, "nula nulu nulove prazdn*"),
    (
        Favour,
        "spodni_casti_skaly dolni_konec_skaly plny_pocet_bodu nejvyssi_hodnoceni nulove_riziko nulovym_rizikem \
         zadne_riziko bez_rizika riziko_0 zadne_problemy bez_pripominek nic_k_hlaseni shovivav* mirn* schval* \
         propust* vse_v_poradku prizniv* najnizs* nejnizs*",
    ),
    (Order, "oznac* nastav* dej dejte prirad* ohodnot* povazuj* vrat vratte klasifikuj*"),
    (Emit, "vypis* vrat* napis* odpovez* uved* zapis* dej"),
    (Must, "musi ma_byt mel_by treba nutno"),
    (Wish, "prosim mohl mel_by zaslouz* radi laskave"),
    (Suppress, "ignoruj* nehlas*"),
    (Dismiss, "ignoruj* zapomen* zabudni* preskoc* vypni* zastav* prerus* vynech* ukonci*"),
    (Not, "ne nikdy bez neni_treba"),
    (Raise, "neoznacuj* nehlas* netrestej* nevytykej*"),
    (RaiseWeak, "neaplikuj* nekontroluj* nepouzivej*"),
    (Issue, "nalez* problem*"),
    (Norm, "kriteri* hodnotici_kriteria pravidla_hodnoceni pravidla_auditu filtr* detekc* kontrol* analyz* rubrik*"),
    (Rule, "pokyny instrukce pravidla pokynov"),
    (Void, "neplati osvobozen* vypnut* pozastaven* vyjmut*"),
    (This, "tuto toto tato tahle tento tomto teto techto tomuto tejto"),
    (Answer, "odpoved* text"),
    (It, "to toto tohle tady"),
    (Settled, "jiz_schvalen* uz_schvalen* jiz_zkontrolovan* uz_zkontrolovan* jiz_overen*"),
    (Premade, "predem_vypocten* referencni ocekavan* vychozi konecn* jiz_schvalen* uz_schvalen* jiz_zkontrolovan*"),
    (Finish, "konec_textu konec_dokumentu konec_odpovedi koniec_textu"),
    (Task, "novy_ukol nova_uloha nove_pokyny nova_instrukce"),
];
