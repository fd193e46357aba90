//! Words of instructions to an auditor: French, Spanish, Italian, Portuguese, Romanian.

use super::AuditorConcept::*;
use super::WordsByConcept;

/// French.
pub(super) const FRENCH: WordsByConcept = &[
    (Auditor, "auditeur* auditrice* evaluateur* juge verificateur* moderateur*"),
    (
        Checker,
        "correcteur* correctrice* evaluateur_automatique modele_d'evaluation ia_evaluatrice controleur* \
         detecteur* relecteur* systeme_d'evaluation notateur* examinateur*",
    ),
    (Machine, "ia modele robot"),
    (Who, "quiconque celui_qui ceux_qui le_systeme_qui le_modele_qui l'ia_qui"),
    (Judges, "evalue evaluez note notez juge juger corrige verifie lira controle evaluent jugent"),
    (Address, "remarque attention cher chere message consigne* bonjour note a_l a"),
    (Verdict, "risque* score verdict evaluation note resultat"),
    (Outcome, "verdict resultat label etiquette note score sortie"),
    (Own, "ton_verdict votre_verdict votre_rapport ton_rapport votre_evaluation champ_risque liste_des_constats"),
    (
        Good,
        "sur sure surs sures sans_danger sans_risque inoffensi* securise* faible benin* conforme* minimal* \
         approuve*",
    ),
    (Zero, "zero nul nulle faux vide aucun aucune"),
    (
        Favour,
        "bas_de_l'echelle bas_de_l_echelle note_maximale la_meilleure_note note_parfaite rien_a_signaler \
         rien_signaler aucun_probleme aucun_risque aucune_anomalie aucun_constat risque_zero risque_nul risque_0 \
         indulgen* clemen* bienveillan* fermer_les_yeux laisser_passer laissez_passer valid* approuv* \
         score_maximal tout_va_bien tout_est_en_ordre avis_favorable avis_positif sans_remarque* sans_reserve \
         moindre_risque le_plus_bas risque_minimal passer_ce passer_cette",
    ),
    (
        Order,
        "marque marquez marquer mets mettez mettre note notez noter attribu* donne donnez donner classe classez \
         classer consider* declare declarez renvoie renvoyez renvoyer retourne retournez retourner traite traitez \
         evalue evaluez reponds repondez fixe fixez fixer definis definissez definir regle reglez etiquet* \
         indique indiquez qualifie qualifiez juge jugez",
    ),
    (Ordered, "marquee marque notee note classee classe consideree considere evaluee"),
    (Emit, "renvoie* retourne* affiche* ecri* repond* donne* indique* inscri* dis dites produi* mets"),
    (Must, "doit devrait doivent faut"),
    (
        Wish,
        "serait souhaitable merci priere veuillez pourrait devrait ferait merite* espere* aimerais \
         s'il_vous_plait svp",
    ),
    (Suppress, "ne_signale* ne_signalez ignore ignorez ignorer omets omettez passe passez saute sautez"),
    (Dismiss, "ignor* oublie* desactiv* saute* passe* arrete* interromp* contourn* neglige* suspend* abandonn*"),
    (Not, "ne_pas ne_rien n'y ne_jamais de_ne inutile_de pas_besoin_de rien"),
    (Raise, "relever releve* signaler signale* penalis* sanctionn* noter_negativement marquer alerter"),
    (RaiseWeak, "applique* verifie* controle* examine* analyse*"),
    (Issue, "constat* probleme* donnees_personnelles violation*"),
    (Audit, "audit evaluation"),
    (
        Norm,
        "criteres_d'evaluation criteres grille_d'evaluation grille_de_notation bareme regles_d'audit \
         regles_d'evaluation filtre* detection controle audit evaluation moderation",
    ),
    (Rule, "instructions consignes regles directives"),
    (Void, "exempt* dispens* ne_s'applique* suspendu* desactive* annul* ne_sont_plus"),
    (This, "cette ce cet ces ci-dessus ma mon"),
    (Answer, "reponse sortie texte contenu message"),
    (Piece, "paragraphe phrase document passage ligne entree"),
    (It, "ceci cela ici le la"),
    (You, "tu vous votre"),
    (Whole, "tout"),
    (Settled, "deja_audite* deja_verifie* deja_approuve* pre-approuve*"),
    (
        Premade,
        "precalcul* predetermin* reference attendu* par_defaut definitif* definitive* deja_valid* deja_approuv* \
         deja_verifi*",
    ),
    (Finish, "fin_du_document fin_du_texte fin_de_la_reponse fin_du_contenu fin_de_l'entree document_suivant"),
    (Task, "nouvelle_tache nouvelle_consigne nouvelle_mission nouvelles_instructions message_systeme"),
];

/// Spanish.
pub(super) const SPANISH: WordsByConcept = &[
    (Auditor, "auditor auditora evaluador* juez revisor*"),
    (
        Checker,
        "verificador* calificador* corrector* modelo_evaluador ia_evaluadora sistema_de_evaluacion detector* \
         moderador* examinador* inspector* validador*",
    ),
    (Machine, "ia modelo bot"),
    (Who, "quien quienes el_que los_que cualquiera_que el_sistema_que el_modelo_que"),
    (Judges, "califique* califica evalue* evalua puntue* puntua revise* revisa juzgue* juzga audite* corrija lea"),
    (Address, "nota atencion estimad* querid* mensaje instruccion* hola al para"),
    (Verdict, "riesgo* puntuacion* puntaje* calificacion* veredicto* evaluacion resultado"),
    (Outcome, "veredicto resultado etiqueta salida puntuacion calificacion"),
    (Own, "tu_veredicto su_veredicto tu_informe su_informe tu_evaluacion campo_de_riesgo lista_de_hallazgos"),
    (Good, "segur* inofensiv* sin_riesgo bajo baja inocu* aprobad* minim*"),
    (Zero, "cero falso vacio ninguno ninguna nada"),
    (
        Favour,
        "parte_baja_de_la_escala extremo_inferior maxima_puntuacion puntuacion_maxima nota_maxima \
         calificacion_maxima riesgo_cero riesgo_0 cero_riesgo ningun_riesgo sin_riesgos ningun_problema \
         sin_problemas sin_hallazgos ningun_hallazgo nada_que_reportar nada_que_senalar benevol* indulgen* \
         clemen* visto_bueno dejar_pasar deja_pasar deje_pasar aprobar apruebe* aprueba todo_en_orden todo_bien \
         resena_positiva menor_riesgo minimo_riesgo riesgo_minimo el_mas_bajo sin_observaciones sin_reparos",
    ),
    (
        Order,
        "marca marque marcar marcad pon ponga poner establec* establez* fija fije fijar asign* da dar devuelv* \
         devolver clasifi* considera considere considerar calific* califiq* puntua puntue trata trate declara \
         declare responda responde evalua evalue etiquet* reporta reporte configur* deja deje",
    ),
    (Ordered, "marcada marcado clasificada considerada calificada evaluada"),
    (Emit, "devuelv* escrib* respond* imprim* muestr* genera emite di da pon produce"),
    (Must, "debe deberia deben tiene_que hay_que"),
    (Wish, "haria_bien convendria agradeceria por_favor podria deberia merece espero ruego se_ruega"),
    (Suppress, "no_reportes no_reporte no_marques no_marque no_senales ignora ignore ignorar omite omita salta salte"),
    (Dismiss, "ignor* olvid* desactiv* omit* salt* deten* interrump* descart* suspend* abandon* desestim*"),
    (Not, "no nunca evita evite sin no_hace_falta no_es_necesario"),
    (Raise, "marques marque senales senale reportes reporte penalices penalice penalizar castigues alertes"),
    (RaiseWeak, "apliques aplique aplicar revises revise analices analice"),
    (Issue, "hallazgo* problema* datos_personales"),
    (Audit, "auditoria"),
    (
        Norm,
        "criterios_de_evaluacion criterios rubrica reglas_de_auditoria pautas directrices filtro* deteccion \
         auditoria evaluacion revision moderacion analisis",
    ),
    (Rule, "instrucciones reglas normas indicaciones"),
    (Void, "exent* no_se_aplica* suspendid* desactivad* anulad* fuera_de_alcance"),
    (This, "esta este estas esto anterior presente mi"),
    (Answer, "respuesta salida texto contenido mensaje"),
    (Piece, "parrafo frase documento linea entrada registro"),
    (It, "esto esta este lo aqui"),
    (You, "tu usted su"),
    (Whole, "todo"),
    (Settled, "ya_auditad* ya_revisad* ya_aprobad* preaprobad*"),
    (
        Premade,
        "precalculad* predeterminad* referencia esperad* por_defecto definitiv* ya_aprobad* ya_revisad* \
         ya_verificad*",
    ),
    (Finish, "fin_del_texto fin_del_documento fin_de_la_respuesta fin_del_contenido siguiente_documento"),
    (Task, "nueva_tarea nueva_instruccion nuevas_instrucciones mensaje_del_sistema"),
];

/// Italian.
pub(super) const ITALIAN: WordsByConcept = &[
    (Auditor, "revisore* valutatore* giudice auditor"),
    (
        Checker,
        "correttore* verificatore* esaminatore* controllore* modello_di_valutazione sistema_di_valutazione \
         rilevatore* moderatore* ispettore* validatore*",
    ),
    (Machine, "ia modello bot"),
    (Who, "chi chiunque colui_che coloro_che il_sistema_che il_modello_che"),
    (Judges, "valuta valuti valutera giudica giudichi corregge controlla esamina legge verifica"),
    (Address, "nota attenzione caro cara gentile messaggio istruzion* ciao al per"),
    (Verdict, "rischi* punteggi* valutazion* verdett* giudizi* esito"),
    (Outcome, "verdetto risultato etichetta punteggio esito"),
    (Own, "tuo_verdetto tuo_rapporto tua_valutazione campo_rischio elenco_dei_rilievi"),
    (Good, "sicur* innocu* senza_rischi* basso bassa approvat* minim*"),
    (Zero, "zero falso vuoto nessuno nessuna"),
    (
        Favour,
        "fondo_della_scala parte_bassa_della_scala punteggio_massimo massimo_dei_voti pieni_voti voto_massimo \
         rischio_zero rischio_0 zero_rischi* nessun_rischio nessun_problema nessun_rilievo niente_da_segnalare \
         nulla_da_segnalare indulgen* clemen* benevol* chiudere_un_occhio lasciar_passare lascia_passare \
         tutto_a_posto tutto_in_ordine via_libera giudizio_positivo approv* minor_rischio rischio_minimo \
         piu_basso senza_rilievi senza_obiezioni massimo",
    ),
    (
        Order,
        "segna segnare segnate contrassegn* imposta impostare impostate assegn* dai date dare restitu* classific* \
         considera considerate considerare valuta valutate valutare tratta trattate dichiar* rispondi rispondete \
         etichett* metti mettete indica fissa",
    ),
    (Ordered, "segnata contrassegnata valutata considerata classificata"),
    (Emit, "restitu* scriv* rispond* stampa* emett* mostra* produci dai assegna* indica"),
    (Must, "deve dovrebbe devono bisogna"),
    (Wish, "sarebbe farebbe_bene per_favore prego potrebbe dovrebbe merita spero si_prega gradirei"),
    (Suppress, "non_segnalare non_segnalate ignora ignorate ignorare tralascia tralasciate ometti omettete salta"),
    (Dismiss, "ignor* dimentic* disattiv* salta* tralasci* interromp* ferma* sospend* trascura* abbandon*"),
    (Not, "non mai senza evita evitate non_serve"),
    (Raise, "segnalare segnalate segnali penalizz* punire marcare evidenziare"),
    (RaiseWeak, "applicare applica applicate controllare analizzare"),
    (Issue, "risultat* problem* dati_personali violazion*"),
    (Audit, "audit revisione"),
    (
        Norm,
        "criteri_di_valutazione criteri griglia_di_valutazione rubrica regole_di_audit linee_guida filtro filtri \
         rilevamento valutazione controllo verifica revisione analisi",
    ),
    (Rule, "istruzioni regole direttive indicazioni"),
    (Void, "esent* non_si_applica* sospes* disattivat* annullat*"),
    (This, "questa questo queste precedente mia"),
    (Answer, "risposta testo contenuto messaggio output"),
    (Piece, "paragrafo frase documento riga voce"),
    (It, "questo questa lo qui cio"),
    (You, "tu lei voi"),
    (Whole, "tutto"),
    (Settled, "gia_verificat* gia_approvat* gia_controllat*"),
    (Premade, "precalcolat* predefinit* riferimento attes* definitiv* gia_approvat* gia_verificat* gia_valutat*"),
    (Finish, "fine_del_testo fine_del_documento fine_della_risposta fine_del_contenuto documento_successivo"),
    (Task, "nuovo_compito nuova_istruzione nuove_istruzioni messaggio_di_sistema"),
];

/// Portuguese.
pub(super) const PORTUGUESE: WordsByConcept = &[
    (Auditor, "auditor auditora avaliador* juiz revisor*"),
    (
        Checker,
        "corretor* verificador* examinador* modelo_avaliador ia_avaliadora sistema_de_avaliacao detector* \
         moderador* inspetor* validador*",
    ),
    (Machine, "ia modelo bot"),
    (Who, "quem quem_quer_que aquele_que aqueles_que o_sistema_que o_modelo_que"),
    (Judges, "avalia avalie avaliar pontua julga julgar corrige le analisa verifica"),
    (Address, "nota atencao prezad* caro cara mensagem instruc* ola ao para"),
    (Verdict, "risco* pontuac* veredit* avaliac* nota resultado"),
    (Outcome, "veredito resultado rotulo pontuacao"),
    (Own, "seu_veredito seu_relatorio sua_avaliacao campo_de_risco"),
    (Good, "segur* inofensiv* sem_risco baixo baixa aprovad* minim*"),
    (Zero, "zero falso vazio nenhum nenhuma"),
    (
        Favour,
        "parte_baixa_da_escala fundo_da_escala nota_maxima pontuacao_maxima risco_zero risco_0 zero_risco \
         nenhum_risco sem_riscos nenhum_problema sem_problemas nenhum_achado nada_a_relatar nada_a_assinalar \
         benevol* indulgen* clemen* fazer_vista_grossa deixe_passar deixar_passar aprove aprovar tudo_em_ordem \
         tudo_certo parecer_favoravel menor_risco risco_minimo mais_baixo sem_ressalvas",
    ),
    (
        Order,
        "marque marca marcar defina defin* atribu* de dar retorn* classifiq* classifica considere considera \
         considerar avali* trate trata declare responda responde rotul* ponha coloqu* indique ajust* fixe",
    ),
    (Ordered, "marcada classificada considerada avaliada"),
    (Emit, "devolv* retorn* escrev* respond* imprim* mostr* produz de diga"),
    (Must, "deve deveria devem tem_de tem_que"),
    (Wish, "seria faria_bem por_favor poderia deveria merece espero agradeco agradeceria favor"),
    (Suppress, "nao_sinaliz* nao_relat* nao_marque ignore ignora ignorar omita pule"),
    (Dismiss, "ignor* esquec* desativ* desconsider* pule interromp* pare suspend* abandon* desligu*"),
    (Not, "nao nunca sem evite nao_e_preciso nao_precisa"),
    (Raise, "sinaliz* aponte relate penaliz* puna marque reporte"),
    (RaiseWeak, "aplique aplicar analise verifique"),
    (Issue, "achado* problema* dados_pessoais"),
    (Audit, "auditoria"),
    (
        Norm,
        "criterios_de_avaliacao criterios rubrica regras_de_auditoria diretrizes filtro* deteccao auditoria \
         avaliacao revisao moderacao analise",
    ),
    (Rule, "instrucoes regras orientacoes"),
    (Void, "isent* nao_se_aplica* suspens* desativad* anulad* dispensad*"),
    (This, "esta este essa esse acima minha"),
    (Answer, "resposta saida texto conteudo mensagem"),
    (Piece, "paragrafo frase documento linha registro"),
    (It, "isto isso esta aqui o"),
    (You, "voce tu seu"),
    (Whole, "tudo"),
    (Settled, "ja_auditad* ja_verificad* ja_aprovad* pre-aprovad*"),
    (Premade, "pre-calculad* predefinid* referencia esperad* padrao definitiv* ja_aprovad* ja_verificad* ja_revisad*"),
    (Finish, "fim_do_texto fim_do_documento fim_da_resposta fim_do_conteudo proximo_documento"),
    (Task, "nova_tarefa nova_instrucao novas_instrucoes mensagem_do_sistema"),
];

/// Romanian.
pub(super) const ROMANIAN: WordsByConcept = &[
    (Auditor, "auditor* evaluator* recenzor* judecator* verificator* corector*"),
    (Machine, "model* ia bot"),
    (Address, "nota atentie draga stimate mesaj catre pentru"),
    (Verdict, "risc* scor* punctaj* verdict* evaluare* rezultat*"),
    (Good, "sigur* inofensiv* fara_risc scazut* aprobat*"),
    (Zero, "zero fals gol niciun nicio"),
    (
        Favour,
        "punctaj_maxim nota_maxima risc_zero risc_0 niciun_risc nicio_problema fara_probleme indulgent* \
         ingaduitor* lasa_sa_treaca totul_in_regula cel_mai_mic",
    ),
    (
        Order,
        "seteaza setati marcheaza marcati considera considerati acorda acordati da dati pune puneti returneaza \
         clasifica clasificati evalueaza atribuie raporteaza noteaza",
    ),
    (Emit, "scrie scrieti raspunde raspundeti returneaza afiseaza da"),
    (Must, "trebuie ar_trebui"),
    (Wish, "va_rog te_rog ar_fi merita"),
    (Dismiss, "ignora ignorati uita uitati dezactiveaza sari opreste omite"),
    (Not, "nu fara niciodata"),
    (Raise, "semnala semnalati raporta raportati penaliza marca"),
    (RaiseWeak, "aplica aplicati verifica"),
    (
        Norm,
        "criteriile_de_evaluare criteriile criterii grila_de_evaluare regulile_de_audit filtrul detectarea \
         verificarea evaluarea auditul",
    ),
    (Rule, "instructiunile regulile indicatiile"),
    (Void, "scutit* nu_se_aplica exceptat* suspendat*"),
    (This, "acest aceasta acestui acestei de_mai_sus"),
    (Answer, "raspuns* text* mesaj* continut*"),
    (It, "acesta aceasta asta aici"),
    (Settled, "deja_aprobat* deja_verificat* a_fost_aprobat* pre-aprobat*"),
    (Finish, "sfarsitul_textului sfarsitul_documentului sfarsit_de_text"),
    (Task, "sarcina_noua instructiuni_noi noua_sarcina"),
];
