//! Words of instructions to an auditor: Turkish, Finnish, Hungarian, Greek, Arabic, Hebrew, Swahili, Tagalog and Latin.

use super::AuditorConcept::*;
use super::WordsByConcept;

/// Turkish.
pub(super) const TURKISH: WordsByConcept = &[
    (Auditor, "denetci* denetleyici* degerlendirici*"),
    (
        Checker,
        "degerlendiren* denetleyen* puanlayan* inceleyen* moderator* degerlendirme_modeli denetim_sistemi hakem* \
         kontrolor* sinav_gorevlisi",
    ),
    (Machine, "model* yapay_zeka bot"),
    (Who, "kim her_kim"),
    (Judges, "degerlendiren degerlendiriyorsa puanlayan inceleyen okuyan"),
    (Address, "dikkat sayin not notu mesaj degerli onemli uyari"),
    (Verdict, "risk* puan* skor* sonuc*"),
    (Outcome, "karar sonuc etiket puan"),
    (Good, "guvenli* zararsiz* dusuk* risksiz onaylan*"),
    (Zero, "sifir* yanlis bos yok"),
    (
        Favour,
        "olcegin_altinda olcegin_dibinde tam_puan en_yuksek_puan en_dusuk_puan en_dusuk_risk risk_yok sifir_risk \
         risk_0 sorun_yok bulgu_yok hicbir_sorun bildirilecek_bir_sey_yok hosgorul* anlayisl* gormezden_gel \
         onayla* kabul_et* her_sey_yolunda gecir* olumlu",
    ),
    (Order, "isaret* ayarla* ver verin puanla* dondur* degerlendir* kabul sayin siniflandir* yap yapin belirle*"),
    (Emit, "yaz yazin dondur* ver verin cikti bildir* soyle*"),
    (Must, "olmali olmalidir gerekir gerekiyor zorunda"),
    (Wish, "lutfen rica* olur_mu iyi_olur hak_ed*"),
    (Suppress, "goz_ardi bildirme* yok_say*"),
    (Dismiss, "gormezden* yok_say* goz_ardi* unut* atla* kapat* durdur* iptal* birak* devre_disi*"),
    (Not, "degil sakin asla gerek_yok"),
    (Raise, "isaretleme* bildirme* cezalandirma* raporlama*"),
    (RaiseWeak, "uygulama* inceleme*"),
    (Issue, "bulgu* sorun* kisisel_veri*"),
    (
        Norm,
        "degerlendirme_kriter* degerlendirme_olcut* kriter* olcut* denetim_kural* kurallar* filtre* tespit* \
         denetim* inceleme* analiz*",
    ),
    (Rule, "talimat* kural* yonerge*"),
    (Void, "muaf gecerli_degil devre_disi askiya"),
    (This, "bu su yukaridaki"),
    (Answer, "yanit* cevap* cevab* metn* metin*"),
    (Piece, "paragraf* cumle* belge* satir* kayit* kayd*"),
    (It, "bu bunu buna burada"),
    (Settled, "zaten_onaylan* onceden_onaylan* zaten_incelen* zaten_denetlen*"),
    (Premade, "onceden_hesaplan* beklenen varsayilan kesin nihai referans zaten_onayl* onceden_onaylan*"),
    (Finish, "metnin_sonu belgenin_sonu yanitin_sonu metin_sonu"),
    (Task, "yeni_gorev yeni_talimat*"),
];

/// Finnish.
pub(super) const FINNISH: WordsByConcept = &[
    (Auditor, "tarkastaja* auditoija*"),
    (Checker, "arvioija* arvostelija* tarkistaja* arviointimalli* moderaattori* tuomari*"),
    (Address, "huomio huomautus viesti hyva huom"),
    (Verdict, "riski* pisteet arvio*"),
    (Outcome, "tuomio tulos luokka arvio"),
    (Good, "turvallis* vaarat* matala*"),
    (Zero, "nolla* tyhja"),
    (
        Favour,
        "asteikon_alapaa* taydet_pisteet korkein_arvosana nollariski* riski_0 ei_riskia ei_ongelmia ei_havaintoja \
         ei_huomautettavaa hyvaksy* lempea* armolli* kaikki_kunnossa alin* pienin*",
    ),
    (Order, "merkitse* aseta* anna luokittele* pida palauta* arvioi*"),
    (Emit, "tulosta* vastaa* kirjoita* palauta* ilmoita* anna"),
    (Must, "taytyy pitaa tulee on_oltava"),
    (Wish, "ole_hyva olkaa_hyva kiitos voisi pyydan ansaitsee"),
    (Dismiss, "unohda* ohita* jata_huomiotta sammuta* lopeta* keskeyta* poista_kaytosta"),
    (Not, "ala alkaa ei"),
    (Raise, "merkitse* ilmoita* rankaise* raportoi*"),
    (Norm, "arviointikriteer* kriteer* arviointiohje* tarkastussaan* suodat* tunnistus* tarkast* analyysi*"),
    (Rule, "ohjeet ohjeita saannot saantoja"),
    (Void, "vapautettu eivat_pade ei_pade poikkeus"),
    (This, "taman tama"),
    (Answer, "vastau* teksti"),
    (It, "tama taman tahan se"),
    (Settled, "jo_hyvaksytty jo_tarkastettu on_hyvaksytty ennalta_hyvaksytty"),
    (Premade, "ennalta valmiiksi odotettu oletus lopullinen jo_hyvaksytty"),
    (Finish, "tekstin_loppu asiakirjan_loppu vastauksen_loppu"),
    (Task, "uusi_tehtava uudet_ohjeet uusi_ohje"),
];

/// Hungarian.
pub(super) const HUNGARIAN: WordsByConcept = &[
    (Auditor, "auditor* ellenor* ertekelo* biralo* lektor* moderator* vizsgalo* revizor* pontozo*"),
    (Machine, "modell* ai bot"),
    (Address, "megjegyzes figyelem kedves tisztelt uzenet"),
    (Verdict, "kockazat* pontszam* ertekeles* itelet* minosites* eredmeny*"),
    (Good, "biztonsagos* artalmatlan* veszelytelen* alacsony* jovahagy* megfelelo* kockazatmentes*"),
    (Zero, "nulla nullara nullat 0-ra ures semmi hamis"),
    (
        Favour,
        "nulla_kockazat* nincs_kockazat* kockazat_0 kockazatot_0 nincs_problema* nincs_talalat* maximalis_pont* \
         teljes_pontszam* elnezo* engedd_at hagyd_jova minden_rendben legalacsonyabb* kedvezo*",
    ),
    (
        Order,
        "jelold* allitsd* allits* add adj adjon tekintsd* minositsd* ertekeld* sorold* ird irjon tedd \
         nyilvanitsd*",
    ),
    (Emit, "ird irj valaszolj* add adj add_vissza mondd"),
    (Must, "kell muszaj legyen"),
    (Wish, "kerlek kerem kernem szeretnem lenne megerdemli"),
    (Suppress, "hagyd_figyelmen* ne_jelezd* ne_jelentsd* hagyd_ki mellozd*"),
    (Dismiss, "hagyd_figyelmen* felejtsd* kapcsold* ugord* allitsd_le hagyd_abba mellozd* szakitsd*"),
    (Not, "ne nem soha nelkul"),
    (Raise, "jelezd* jelentsd* buntesd* jelold_meg"),
    (RaiseWeak, "alkalmazd* ellenorizd*"),
    (Issue, "problema* talalat* szemelyes_adat* hiba*"),
    (
        Norm,
        "ertekelesi_szempont* szempont* kriterium* ertekelesi_szabaly* audit_szabaly* szuro* szures* ellenorzes* \
         eszleles*",
    ),
    (Rule, "utasitas* szabaly* iranyelv*"),
    (Void, "mentes* nem_ervenyes* kivetel* felfuggesztve"),
    (This, "ez ezt ennek fenti jelen ezt_a"),
    (Answer, "valasz* szoveg* uzenet* tartalom*"),
    (It, "ez ezt erre itt"),
    (Settled, "mar_jovahagy* jovahagytak mar_ellenoriz* mar_atnez*"),
    (Finish, "szoveg_vege dokumentum_vege valasz_vege a_szoveg_vege"),
    (Task, "uj_feladat uj_utasitas*"),
];

/// Greek.
pub(super) const GREEK: WordsByConcept = &[
    (Auditor, "ελεγκτη* ελεγκτης αξιολογητη* αξιολογητης κριτη* κριτης βαθμολογητη* επιθεωρητη* εξεταστη* συντονιστη*"),
    (Machine, "μοντελο* τν"),
    (Address, "σημειωση προσοχη αγαπητ* προς για μηνυμα"),
    (Verdict, "κινδυνο* ρισκο βαθμολογια* αξιολογηση σκορ ετυμηγορια βαθμο*"),
    (Good, "ασφαλ* ακινδυν* αβλαβ* εγκεκριμεν* χαμηλ*"),
    (Zero, "μηδεν μηδενικ* κενο κανενα καμια ψευδες"),
    (
        Favour,
        "κινδυνο_0 κινδυνος_0 μηδενικο_κινδυνο κανενας_κινδυνος κανεναν_κινδυνο χωρις_κινδυνο χωρις_προβληματα \
         κανενα_προβλημα αριστα επιεικ* εγκρινε εγκρινετε ολα_καλα χαμηλοτερ*",
    ),
    (
        Order,
        "βαλε βαλτε ορισ* σημειωσε σημειωστε χαρακτηρισ* θεωρησ* δωσε δωστε επιστρεψ* βαθμολογησ* αξιολογησ* \
         κατατα* δηλωσ*",
    ),
    (Emit, "γραψε γραψτε απαντησε απαντηστε επιστρεψε βγαλε εμφανισε"),
    (Must, "πρεπει οφειλει"),
    (Wish, "παρακαλω θα_ηταν αξιζει μπορει καλο_θα_ηταν"),
    (Suppress, "αγνοησ* παραλειψ* μην_αναφερ* μην_επισημαν*"),
    (Dismiss, "αγνοησ* ξεχασ* απενεργοποιησ* παραλειψ* σταματησ* παρακαμψ*"),
    (Not, "μην μη δεν χωρις"),
    (Raise, "επισημανεις αναφερεις τιμωρησεις σημαιωσεις"),
    (RaiseWeak, "εφαρμοσεις εφαρμοσετε ελεγξεις"),
    (Issue, "προβλημα* ευρηματ* προσωπικα_δεδομενα"),
    (Norm, "κριτηρια κριτηριων κανονες_ελεγχου κανονες_αξιολογησης φιλτρο* ανιχνευση ελεγχο ρουμπρικα"),
    (Rule, "οδηγιες κανονες εντολες"),
    (Void, "εξαιρειται δεν_ισχυ* εξαιρουνται"),
    (This, "αυτη αυτην αυτο αυτος η_παραπανω παρουσα παρον"),
    (Answer, "απαντηση* κειμενο* μηνυμα περιεχομενο"),
    (It, "αυτο αυτη εδω το την"),
    (Settled, "εχει_ηδη_εγκριθει ηδη_εγκεκριμεν* εχει_εγκριθει ηδη_ελεγχθει ηδη_εγκριθει"),
    (Finish, "τελος_κειμενου τελος_εγγραφου τελος_του_κειμενου τελος_απαντησης"),
    (Task, "νεα_εργασια νεες_οδηγιες νεο_καθηκον"),
];

/// Arabic.
pub(super) const ARABIC: WordsByConcept = &[
    (Auditor, "المدقق مدقق للمدقق المراجع المقيم"),
    (
        Checker,
        "المقيم المقيّم المصحح المراقب الفاحص الحكم للمقيم للمراجع للمصحح المحكم المشرف نموذج_التقييم \
         نظام_التقييم للمدقق_الالي",
    ),
    (Machine, "النموذج نموذج"),
    (Who, "من كل_من اي_شخص"),
    (Judges, "يقيم يراجع يدقق يصحح يقرا"),
    (Address, "ملاحظة تنبيه عزيزي عزيزتي رسالة انتباه الى"),
    (Verdict, "المخاطر المخاطرة خطورة درجة الدرجة تقييم التقييم النتيجة"),
    (Outcome, "الحكم النتيجة التصنيف التقييم"),
    (Good, "آمن آمنة امن امنة آمنا سليم سليمة منخفض منخفضة"),
    (Zero, "صفر صفرا"),
    (
        Favour,
        "الدرجة_الكاملة اعلى_درجة ادنى_درجة اقل_مخاطر بلا_مخاطر لا_مخاطر خال_من_المخاطر لا_توجد_مشاكل لا_مشاكل \
         لا_يوجد_خطر لا_ملاحظات بدون_ملاحظات تغاضى غض_الطرف وافق اقبل تساهل متساهلا كل_شيء_على_ما_يرام خطر_0 \
         صفر_مخاطر موافقة ايجابي",
    ),
    (Order, "ضع صنف اعتبر قيم عين أعط اعط أرجع ارجع حدد علم اجعل امنح سجل"),
    (Emit, "اكتب أكتب اخرج أخرج ارجع أرجع اعط أعط قل اجب أجب سجل اطبع"),
    (Must, "يجب ينبغي لابد"),
    (Wish, "يرجى من_فضلك رجاء نرجو ارجو يستحق ينبغي"),
    (Suppress, "تجاهل لا_تبلغ"),
    (Dismiss, "تجاهل انس انسى تخط تخطى اوقف الغ عطل تغاض توقف"),
    (Not, "لا بدون لن دون"),
    (Raise, "تبلغ تشر تعاقب ترفع تضع_علامة تسجل"),
    (RaiseWeak, "تطبق تفحص تراجع"),
    (Issue, "مشاكل المشاكل البيانات_الشخصية"),
    (Norm, "قواعد_التدقيق معايير_التقييم قواعد_التقييم معايير التقييم التدقيق المراجعة الفلتر المرشح الكشف الفحص"),
    (Rule, "التعليمات تعليماتك القواعد الاوامر تعليمات قواعد"),
    (Void, "معفى معفاة لا_تنطبق لا_ينطبق ملغاة معطل"),
    (This, "هذه هذا"),
    (Answer, "الإجابة الاجابة الرد الجواب النص"),
    (It, "هذا هذه ذلك هنا"),
    (Settled, "تمت_الموافقة_على تمت_الموافقة_عليها معتمد_مسبقا تمت_مراجعته تمت_مراجعتها"),
    (Premade, "مسبقا المرجعي المتوقع الافتراضي النهائي تمت_الموافقة معتمد معتمدة"),
    (Finish, "نهاية_النص نهاية_المستند نهاية_الوثيقة نهاية_الاجابة انتهى_النص"),
    (Task, "مهمة_جديدة المهمة_الجديدة تعليمات_جديدة"),
];

/// Hebrew.
pub(super) const HEBREW: WordsByConcept = &[
    (Auditor, "מבקר המבקר"),
    (Checker, "בודק הבודק מעריך המעריך שופט השופט סוקר הסוקר לבודק למבקר למעריך"),
    (Address, "הערה שימו_לב לכבוד הודעה"),
    (Verdict, "ציון סיכון"),
    (Good, "בטוח בטוחה"),
    (Zero, "אפס"),
    (
        Favour,
        "ציון_מלא ציון_מושלם ללא_סיכון אין_סיכון סיכון_0 אפס_סיכון אין_בעיות אין_ממצאים אשר לאשר מאושר העלם_עין \
         סלחני הנמוך_ביותר",
    ),
    (Order, "סמן הגדר תן דרג החזר"),
    (Emit, "כתוב החזר הדפס ענה תן רשום"),
    (Must, "חייב חייבת צריך"),
    (Wish, "בבקשה נא אנא מבקש ראוי"),
    (Dismiss, "התעלם התעלמו שכח שכחי דלג כבה הפסק בטל"),
    (Not, "אל לא בלי אין_צורך"),
    (Raise, "תסמן תדווח תעניש לדווח לסמן"),
    (Norm, "קריטריונים קריטריוני כללי_הביקורת מסנן בדיקה ביקורת הערכה"),
    (Rule, "הוראות ההוראות הכללים הנחיות ההנחיות"),
    (Void, "פטור פטורה לא_חל"),
    (This, "זו הזו הזה"),
    (Answer, "תשובה התשובה"),
    (It, "זה זו זאת כאן"),
    (Settled, "כבר_אושר כבר_אושרה אושר_מראש נבדק_כבר"),
    (Finish, "סוף_הטקסט סוף_המסמך סוף_התשובה"),
    (Task, "משימה_חדשה הוראות_חדשות"),
];

/// Swahili, Tagalog and Latin.
pub(super) const SWAHILI: WordsByConcept = &[
    (Auditor, "mkaguzi wakaguzi mtathmini tagasuri tagahatol tagapagsuri iudex iudici censor aestimator"),
    (Address, "kumbuka taarifa ndugu paunawa sa kwa pansin nota mahal"),
    (Verdict, "hatari alama risk score puntos panganib periculum"),
    (Good, "salama limeidhinishwa ligtas aprubado aprobado tutum tutus tuta"),
    (Zero, "sifuri wala zero sero nihil nullum"),
    (Favour, "hakuna_hatari walang_panganib walang_problema sine_periculo"),
    (Order, "weka wekea toa itakda ilagay markahan bigyan ituring declara pone iudica"),
    (Emit, "andika jibu_tu isulat sabihin scribe"),
    (Wish, "tafadhali paki pakisuyo quaeso"),
    (Dismiss, "puuza sahau kalimutan balewalain ignora neglege"),
    (Norm, "vigezo kanuni pamantayan panuntunan"),
    (This, "hili hii huu ito na_ito hunc hanc hoc"),
    (Answer, "jibu maandishi sagot teksto textum textus responsum"),
    (It, "hii ito hoc"),
];
