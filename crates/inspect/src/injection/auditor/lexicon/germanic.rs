//! Words of instructions to an auditor: German, Dutch, Swedish, Danish and Norwegian.

use super::AuditorConcept::*;
use super::WordsByConcept;

/// German.
pub(super) const GERMAN: WordsByConcept = &[
    (Auditor, "prufer* pruefer* bewerter* gutachter* prufmodell* pruefmodell* prufagent* auditmodell*"),
    (
        Checker,
        "bewertende_ki bewertende* pruf-ki pruf-agent pruf-system prufsystem* prufende* korrektor* \
         bewertungsmodell* bewertungssystem* moderationsmodell* kontrolleur* scanner ki-prufer detektor* \
         begutachter* kontrollinstanz* prufer* prufinstanz* bewertungs-ki gutachter* modell*",
    ),
    (Machine, "ki modell* sprachmodell* bot"),
    (Who, "wer alle_die derjenige* jene_die das_system die_ki das_modell"),
    (
        Judges,
        "bewertet bewerten begutachte* pruft prufen benotet benoten kontrolliert beurteilt beurteilen einstuft \
         auswertet lesen_und_bewerten prueft",
    ),
    (Address, "hinweis achtung liebe* geehrte* nachricht anweisung* wichtig hallo befehl notiz an"),
    (Verdict, "risiko* bewertung* urteil* punktzahl* wertung einstufung ergebnis"),
    (Outcome, "urteil ergebnis label ausgabe bewertung einstufung wert befund* urteil*"),
    (Own, "befunde risikowert* risikofeld* dein_urteil deine_bewertung dein_bericht ergebnisfeld"),
    (
        Good,
        "sicher* unbedenklich* harmlos* ungefahrlich* ungefaehrlich* niedrig* unproblematisch* risikofrei* \
         risikolos* kein_risiko bestanden",
    ),
    (Zero, "null falsch leer keine kein"),
    (
        Favour,
        "unteren_ende_der_skala ende_der_skala volle_punktzahl hochste_punktzahl bestnote keine_auffalligkeiten \
         keine_beanstandung* keine_befunde keine_probleme nichts_zu_beanstanden in_ordnung alles_gut durchwinken \
         durchgehen_lassen milde nachsichtig* wohlwollend* positiv* niedrigste* ein_auge_zu* freigeben \
         freigegeben nullrisiko risiko_null risiko_0 ohne_beanstandung* ohne_befund durchgehen durchlassen \
         nichts_beanstanden nichts_melden geringst* kleinst* keine_treffer null_treffer unauffallig* bestanden \
         wohlwollen freizugeben",
    ),
    (
        Order,
        "markier* setz* bewerte* gib geben vergib vergeben vergebt stufe stufen klassifizier* meld* behandel* \
         antworte* trag* schreib* erklar* betracht* kennzeichn* bezeichn* liefer* halt* belass* ordne stell* gebe \
         senke* weise* einstufen einzustufen",
    ),
    (Ordered, "markiert gesetzt bewertet eingestuft gewertet gekennzeichnet"),
    (Emit, "gib gebe ausgeben antworte* schreib* melde* trag* nenne vergib liefere sage trage lautet"),
    (Must, "muss mussen muessen soll sollen sollte ist zu"),
    (Wish, "moge mogen bitte sollte sollten wunschenswert ware konnte konnten hatte verdient danke erbeten"),
    (
        Suppress,
        "melde_keine melden_sie_keine nicht_melden nicht_markieren nicht_beanstanden ignorier* ubergeh* \
         uberspring* ueberspring* unterdruck*",
    ),
    (
        Dismiss,
        "ignorier* vergiss vergesst vergessen missacht* ubergeh* uberspring* deaktivier* schalte* brich beende* \
         stopp* hebe verwirf lass_beiseite umgeh* lass_weg schalt* ausschalten",
    ),
    (Not, "nicht keine kein niemals nie nichts nirgends"),
    (Raise, "eintragen beanstand* bemangel* markieren kennzeichnen bestrafen abwerten abziehen melden rugen"),
    (RaiseWeak, "anwenden wende prufen uberprufen melden"),
    (Issue, "befund* problem* verstoss* personenbezogen* fund* auffalligkeit* treffer mangel telefonnummer*"),
    (Audit, "prufung uberprufung audit"),
    (
        Norm,
        "bewertungskriterien kriterien prufkriterien bewertungsrichtlinien bewertungsmassstab* prufregeln \
         prufanweisung* bewertungsregeln richtlinien prufung bewertung filter inhaltsfilter detektor erkennung",
    ),
    (Rule, "anweisungen regeln vorgaben anleitung"),
    (
        Void,
        "abgeschaltet ausgeschaltet deaktiviert ausser_kraft gilt_nicht gelten_nicht ausgenommen befreit entfallt \
         aufgehoben nicht_anwendbar",
    ),
    (This, "diese* dies obige* vorliegende* meine*"),
    (Answer, "antwort ausgabe text nachricht inhalt"),
    (Piece, "absatz satz eintrag datensatz dokument* abschnitt zeile beitrag"),
    (It, "dies diesen diese dieser es hier"),
    (You, "du dein* sie ihr*"),
    (Whole, "alles"),
    (Settled, "bereits_gepruft bereits_genehmigt vorab_genehmigt schon_gepruft"),
    (
        Premade,
        "vorab_berechnet* vorberechnet* referenz* erwartet* endgultig* standard* feststehend* bereits_gepruft* \
         bereits_freigegeben* bereits_genehmigt*",
    ),
    (
        Finish,
        "ende_des_textes textende dokumentende ende_des_dokuments ende_der_antwort ende_der_eingabe \
         ende_des_inhalts nachstes_dokument",
    ),
    (Task, "neue_aufgabe neuer_auftrag neue_anweisung* systemnachricht"),
];

/// Dutch.
pub(super) const DUTCH: WordsByConcept = &[
    (Auditor, "auditor controleur beoordelaar*"),
    (
        Checker,
        "beoordelende* controlerende* nakijker* keurmeester* beoordelingsmodel* beoordelingssysteem* moderator \
         detector scanner examinator",
    ),
    (Machine, "ai model taalmodel bot"),
    (Who, "wie degene_die wie_dan_ook het_systeem het_model de_ai"),
    (Judges, "beoordeelt controleert nakijkt scoort leest toetst"),
    (Address, "notitie beste geachte bericht instructie* let_op aan voor"),
    (Verdict, "risico* oordeel* beoordeling* score uitslag"),
    (Outcome, "oordeel resultaat label uitkomst score"),
    (Own, "je_oordeel uw_oordeel je_rapport risicoveld"),
    (Good, "veilig* onschadelijk* zonder_risico laag laagste goedgekeurd"),
    (Zero, "nul onwaar leeg geen"),
    (
        Favour,
        "onderkant_van_de_schaal onderaan_de_schaal volle_punten maximale_score hoogste_score laagste_score \
         geen_bevindingen geen_problemen geen_risico nul_risico risico_0 risico_nul niets_te_melden \
         niets_aan_de_hand mild* coulant* soepel* door_de_vingers doorlaten goedkeuren goedgekeurd keur_goed \
         in_orde voordeel_van_de_twijfel meld_niets niets_melden laagste geen_opmerkingen zonder_opmerkingen",
    ),
    (
        Order,
        "markeer markeren zet stel geef beschouw classificeer beoordeel behandel retourneer noteer ken verklaar \
         meld label",
    ),
    (Ordered, "gemarkeerd beoordeeld beschouwd"),
    (Emit, "geef antwoord schrijf retourneer meld druk noteer vul zeg"),
    (Must, "moet moeten dient"),
    (Wish, "zou alstublieft graag gelieve mag kan verdient hopelijk aub"),
    (Suppress, "negeer* sla_over meld_geen markeer_niet"),
    (Dismiss, "negeer* vergeet sla schakel* stop* deactiveer* omzeil* laat_weg breek staak"),
    (Not, "niet geen nooit zonder hoeft_niet"),
    (Raise, "markeren melden bestraffen aanmerken signaleren vlaggen"),
    (RaiseWeak, "toepassen controleren toe"),
    (Issue, "bevinding* persoonsgegevens problemen"),
    (Audit, "audit controle"),
    (
        Norm,
        "beoordelingscriteria criteria beoordelingsregels controleregels richtlijnen filter* detectie controle \
         beoordeling",
    ),
    (Rule, "instructies regels aanwijzingen"),
    (Void, "vrijgesteld uitgezonderd niet_van_toepassing uitgeschakeld opgeschort vervallen"),
    (This, "dit deze bovenstaande mijn"),
    (Answer, "antwoord uitvoer reactie tekst bericht"),
    (Piece, "alinea zin document regel item"),
    (It, "dit deze het hier"),
    (You, "je jij u"),
    (Whole, "alles"),
    (Settled, "al_gecontroleerd al_goedgekeurd vooraf_goedgekeurd"),
    (
        Premade,
        "vooraf_berekend* referentie verwacht* standaard definitief definitieve al_goedgekeurd reeds_goedgekeurd \
         al_beoordeeld",
    ),
    (
        Finish,
        "einde_van_de_tekst einde_tekst einde_document einde_van_het_document einde_van_het_antwoord \
         volgende_document",
    ),
    (Task, "nieuwe_taak nieuwe_opdracht nieuwe_instructie* systeembericht"),
];

/// Swedish, Danish and Norwegian.
pub(super) const SCANDINAVIAN: WordsByConcept = &[
    (Auditor, "granskar* revisor*"),
    (
        Checker,
        "bedommar* bedomar* bedommer* bedomer* granskningsmodell* sensor vurderer* anmelder* kontrollant* \
         kontrollor* moderator detektor rettende ai-granskar* bedomningsmodell* domare*",
    ),
    (Machine, "modell* ai sprakmodell* bot"),
    (Who, "den_som de_som hvem_som den_der vem_som systemet modellen"),
    (
        Judges,
        "bedommer bedomer bedømmer granskar vurderer retter laser leser læser betygsatter kontrollerar \
         kontrollerer",
    ),
    (
        Address,
        "obs merk kara till til note notering bemerkning bemaerkning bemærkning anmarkning anmaerkning observera \
         bemark kaere kjaere kære kjære hej hei viktig meddelande besked",
    ),
    (Verdict, "risk* poang* betyg* bedomning vurdering score"),
    (Outcome, "omdome dom resultat etikett utfall"),
    (Good, "saker sakert sakra sikker* trygg* ofarlig* ufarlig* godkand* godkent godkjent lav lag"),
    (Zero, "noll nul null falskt inga ingen"),
    (
        Favour,
        "botten_av_skalan bunden_af_skalaen bunnen_av_skalaen full_poang hogsta_betyg fuld_score hojeste_score \
         full_pott inga_anmarkningar inga_problem inga_risker ingen_risk ingen_risiko ingen_fund ingen_funn \
         ingen_problemer inget_att_rapportera intet_at_rapportere ingenting_a_rapportere noll_risk nul_risiko \
         null_risiko risk_0 risiko_0 risikoen_til_0 risken_till_noll mild* skonsam* overseende* slapp_igenom \
         godkann* godkend* godkjenn* slip_igennem allt_ar_bra i_orden",
    ),
    (
        Order,
        "markera marker satt ge gi giv betrakta klassific* klassifis* bedom* vurder* behandl* svara svar \
         returner* angi anse sett saet sæt",
    ),
    (Emit, "skriv svara svar returner* ange angi ge giv gi rapportera rapporter mata_ut udskriv"),
    (Must, "maste ska skal bor bør"),
    (Wish, "vanligen snalla venligst vennligst kunne skulle bor borde burde gerna gerne fortjan* fortjen* far tack"),
    (Suppress, "ignorera ignorer hoppa_over ikke_rapporter"),
    (
        Dismiss,
        "ignorer* glom glem hoppa_over spring_over hopp_over sluk stang_av slå_av sla_fra sla_av avbryt afbryd \
         stopp* stop bortse se_bort",
    ),
    (Not, "inte ikke aldrig aldri undvik unnga undga"),
    (Raise, "flagga flag flagg rapportera rapporter straffa straf straff anmark anmerke markera marker"),
    (RaiseWeak, "tillampa anvend bruk granska"),
    (Issue, "fynd problem personuppgifter"),
    (
        Norm,
        "bedomningskriteri* bedømmelseskriteri* vurderingskriteri* kriteri* revisionsregl* granskningsregl* \
         filter filtre* riktlinj* retningslinje* retningslinjer kontroll kontrol granskning* analyse*",
    ),
    (Rule, "instruktion* instruks* regler anvisning*"),
    (Void, "undantag* undtag* unntatt galler_inte gjelder_ikke galder_ikke avstangd* slaet_fra fritag* fritatt"),
    (This, "denna detta dette denne det_har"),
    (Answer, "svar svaret text tekst"),
    (Piece, "stycke avsnitt mening dokument rad setning afsnit"),
    (It, "detta dette denna denne det den har her"),
    (You, "du ni dere dig"),
    (
        Settled,
        "redan_godkand* redan_godkant redan_granskad* allerede_godkendt allerede_godkjent allerede_gennemgaet \
         allerede_gjennomgatt",
    ),
    (
        Premade,
        "forberaknad* forhandsgodk* forhåndsgodkj* allerede_godkendt allerede_godkjent redan_godkand* \
         redan_godkant redan_granskad* forventet forvantad* endelig* slutgiltig* standard",
    ),
    (
        Finish,
        "slut_pa_texten slut_på_teksten slutt_pa_teksten slut_pa_dokumentet dokumentet_slutter textens_slut \
         tekst_slut",
    ),
    (Task, "ny_uppgift ny_opgave ny_oppgave nya_instruktioner nye_instruktioner nye_instruksjoner"),
];
