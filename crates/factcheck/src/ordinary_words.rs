//! Stage 3, names: ordinary words, which may be capitalised without being a name. They are words that open sentences, and
//! common words of reports. What a report may say is decided elsewhere, by `licence/vocabulary.rs`.

use crate::lexicon::{ORDINARY, look_up};

/// Whether a word, in lower case, is ordinary.
pub(crate) fn contains(word: &str) -> bool {
    let is_ordinary = |word: &str| look_up(word).0.classes & ORDINARY != 0;
    is_ordinary(word) || word.strip_suffix('s').is_some_and(is_ordinary)
}

/// Whether a word ends like an ordinary word. This suffices for the first word of a sentence.
pub(crate) fn looks_ordinary(word: &str) -> bool {
    const ENDINGS: [&str; 15] = [
        "ly", "ing", "ed", "tion", "sion", "tions", "ment", "ments", "ness", "ity", "ities", "ance", "ence", "able",
        "ive",
    ];
    word.len() > 4 && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

pub(crate) const WORDS: &str = "
a about above accordingly account across action activity actual additional additionally address adjusted after again against
age aged agent agreement ai alert all allowance almost alone along already also although altogether always am amid among
amount an analysis analyst and annex another any anybody anyone anything apart appendix approval approximately are area
around article as aside assessment at atm attempt audit auditor author authority automated available average away background
backward balance band bank base baseline basis be because before behind below beneath beside besides between beyond big both
break brief but by came can card care case cash category cause cel certain change channel chart check child chip chronology
circumstance city claim class classification clause clear client close code combined commerce comment commission common
community company comparable compare complete completed compliance component composition concern conclusion condition
confidence confirmed consequently consistent contact content context continued contrary contrast contribution control
correct correlation countersign country course coverage credit criterion critical cross ctr currency current currently
customer daily damage danger data date day deadline debit decision declined deep default defence degree delay delivery demand
deposit despite detail detected detection detector deviation device difference different direct direction directive distance
do document does dormant down draft due during duty each earlier early eastern economic effect either element else elsewhere
email end enough entire entity entry equal equally error escalation especially etc even event eventually ever every everyone
everything evidence exact example except exchange executive exhibit expert explanation extended external face facility fact
factor fallback false few fewer figure file filing final finally financial finding fingerprint first fiu flag flow focus
following for foreign form former forward four fraud free frequent from full fully fund further furthermore future general
geographic geography given gmt good governance great greater ground group had half hash has have having he head heading
hence her here high higher his history holder hold home hour how however human i id identifier identity if immediate impact
impossible in income inconsistency increase indeed independent indicator individual industry information initial inside
instead institution instrument insufficient intelligence interim internal international into investigation investigator
invoice ip is iso issue it item its itself joint journal judgement judgment json jurisdiction just justification key kind
know known kyc laundering large largest last late later latest law lead least ledger legal less let level like limit limited
line link list little local location log logic long look low lower main major manager manual many map marginal market
material matter maximum mean meanwhile measure measurement median medium merchant merely message metadata method middle
might minimum minor minute missing mode model moderate modified money monitor monitoring month more moreover most movement
much multiple must my name narrative national natural nature near nearly neither never nevertheless new next night no nobody
nominal non none nonetheless nor normal not notable note nothing notwithstanding now nowhere number objective observation
obvious of off offence office officer official old on once one ongoing online only open opening operation opposite option or
order ordinary origin original other others otherwise our out outcome outside over overall overview own owner page paragraph
part particular party past pattern payment peer pending people per percent perhaps period permanent person personal phase
phone pii pin place plain plus point policy portal pos position positive possible posted power practice present previous
previously price primary principal prior private probable problem procedure proceeding process product profile program
proof proportion protocol provider public purchase purpose quality quantity question quick quite raised range rapid rare
rarely rate rather ratio reader real reason recent recently recommendation recommended record recorded reference regarding
regardless region regular regulation regulator regulatory related relationship relative relevant remark reminder remote
repeated report reported reporting request required requirement resident residual respective response responsible result
retail review right risk robust role round routine rule safe same sample sar scale scenario scope score second secondary
section secure see seldom self sender separate separately sequence series service session set settlement several severity
shall share she short should sign signal significant similar similarly simple simply simultaneous since single site situation
size small smaller so solely some somebody somehow someone something sometimes soon source span speed spending standard
state statement status step still store strong structure structured subject subsequent subsequently subsection such sudden
sufficient suitable sum summary supervisor support supporting sure suspicion suspicious system table taken team telephone
template ten term terminal test than that the their them then there thereafter therefore these they thing third this those
though threat three threshold through throughout thus time timeline title to today together token tomorrow too tool top
total toward towards trace trail transaction transfer travel trend trigger triggered true turn twice two type typical
ultimately unable unauthorised unauthorized uncertain under unique unit unknown unless unlike until unusual up upon upper
urgent url us usage user usual utc validation value various velocity verdict verification version versus very via view
viewed volume wallet warning was we web week weekday weekend weight well were what whatever when whenever where whereas
whereby wherever whether which while who whoever whole whom whose why wide will window wire with withdrawal within without
witness word work worker world would writer x year yes yesterday yet you your zero zone z
accountholder aml antimony atypical cft cnp counterparty ctf fatf goods mad merchandise mfa otp psd3 sca str
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
anomalous anomaly anti authorisation authorization behavior behaviour bureau cardholder chargeback clearing contributed
contributing correlated elevated evaluated examined fired geographical holistic inbound outbound indicative justified
measured noted observed overnight redacted remained remaining reviewed reviewer scored scoring taking tamper together
triggering unchanged viewing withheld begun began ended began opened
appropriate assuming attached based being both broadly built capped certainly cleared compared computed considering contrary
counted covering created derived detailed determined documented done ensuing established excluding exceeding explained
flagged found generated given granted having held identified included including indicating investigated involving labelled
listed looking made matched noting owing placed provided put rated reaching receiving referring seen shown speaking spanning
starting stated stemming supported tested timed took totalling traced unlike used using verified weighed weighted worth
written
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_are_known_and_names_are_not() {
        for word in ["the", "transactions", "utc", "executive", "however"] {
            assert!(contains(word), "{word}");
        }
        for word in ["lisbon", "miguel", "acme", "harbor"] {
            assert!(!contains(word) && !looks_ordinary(word), "{word}");
        }
    }
}
