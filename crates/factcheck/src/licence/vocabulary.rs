//! Stage 7, licence: the closed vocabulary of reports. It lists every word that a report may use, with what the word is about
//! (its topics) and what it asserts (its acts). "Threshold" has the topic `THRESHOLD` and no act, "exceeded" has the acts
//! `UP` and `VERB` and no topic, and "the" has neither.
//!
//! A word that is neither in the vocabulary nor part of a fact's name is refused. Words with an act are checked against
//! the facts. Words with only a topic refer to something that the context must have. All other words are neutral prose.
//!
//! Adding a word widens what a report can say. Add synonyms for what the product computes, but no word that asserts
//! more: no advice, guilt, motive, promise, degree, cause or person that the context doesn't contain.

use countersign_text::hash::fnv64;

macro_rules! bits {
    ($($name:ident)*) => { bits!(@ 0; $($name)*); };
    (@ $at:expr; $name:ident $($rest:ident)*) => {
        pub(crate) const $name: u64 = 1 << ($at);
        bits!(@ $at + 1; $($rest)*);
    };
    (@ $at:expr;) => {};
}

// What a word is about. Most names say it. The others:
// - `CAP` is the maximum at which a score stops, and `COMPOSITION` the parts that it consists of.
// - `OPENING` is the date on which the account was opened, and `FIRST_SEEN` when and how long the customer was seen.
// - `TRAVEL` is the journey between two transactions, `RATE` the number of transactions in a time, and `SPREAD` how much
//   earlier amounts differ.
// - `STATUS` is whether the transaction was completed, `METHOD` how a sender measured, `CONTACT` a statement by a party, and
//   `OUTCOME_OF_REVIEW` a reviewer's decision.
bits! {
    TRANSACTION AMOUNT MERCHANT CATEGORY CHANNEL LOCATION DEVICE NETWORK MEMO SOURCE DESTINATION FUNDS BASELINE MEDIAN
    HISTORY OPENING ACCOUNT ALERT INVESTIGATION CUSTOMER DETECTOR SENDER RECORD REPORT TIMELINE PERSON SIGNAL RULE
    THRESHOLD VALUE POINTS CAP SCORE SEVERITY BAND IMPACT TRAVEL RATE CURRENCY RULES_VERSION METHOD STATUS FIRST_SEEN
    COMPOSITION CONTACT BOUNDS OUTCOME_OF_REVIEW SYSTEM SPREAD SAME_CURRENCY EVIDENCE TIME
}

/// Topics that a context may lack. A sentence that mentions one is true only if the context has it, or if the sentence
/// says that it is missing.
pub(crate) const OPTIONAL: u64 = TRANSACTION
    | MERCHANT
    | CATEGORY
    | CHANNEL
    | LOCATION
    | DEVICE
    | NETWORK
    | MEMO
    | SOURCE
    | DESTINATION
    | BASELINE
    | MEDIAN
    | CAP
    | SIGNAL
    | THRESHOLD;

// What a word asserts. Most names say it. The others:
// - `VERB` asserts nothing; it marks the words that can be the predicate of a clause.
// - `UP`, `DOWN` and `EVEN` compare: above, below, equal to.
// - `STATE` says that something is on record ("stated", "available"), and `ABSENT` that it is missing.
// - `LEAD` says that one thing led to another, and `HELD` that the condition of a rule was met.
// - `ENTER` says that something counts in the score, `FIT` that two transactions fit a journey, and `AMONG` and `SEEN` that a
//   country is one of the earlier ones.
// - With `CARD`, `HELD` says that the card was present, and `ONLINE` that it was not.
bits! {
    NO NOT NOTHING STATE FIRE CLEAR ABSENT UP DOWN EVEN INSIDE OUTSIDE COMPLETE ATTEMPT BECAUSE THEREFORE LEAD
    FIRST LAST BEFORE AFTER HEAVIEST LIGHTEST LARGEST SMALLEST ONLY ALL OTHER UNUSUAL USUAL NEW PRIOR SIMILAR
    MADE RAISED OPENED CONTRIBUTE MEASURE VERB APPLY ENTER FIT AMONG SEEN FOREIGN
    FELL CARD CASH WIRE ONLINE UNCHANGED HELD REACHED NEED AGREE DISAGREE COULD THEN
}

/// The meaning of a word in a report, as two bit sets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WordSense {
    pub(crate) topics: u64,
    pub(crate) acts: u64,
}

/// Every word that a report may use, with its topics and acts. If a word occurs more than once, it has the topics and acts of
/// all its entries.
pub(crate) fn entries() -> impl Iterator<Item = (&'static str, WordSense)> {
    let neutral = NEUTRAL_WORDS.split_whitespace().map(|word| (word, WordSense::default()));
    let verbs = PLAIN_VERBS.split_whitespace().map(|word| (word, WordSense { topics: 0, acts: VERB }));
    let with_topics = TOPIC_WORDS.iter().flat_map(|(topics, words)| {
        words.split_whitespace().map(|word| (word, WordSense { topics: *topics, acts: 0 }))
    });
    let with_acts = ACT_WORDS
        .iter()
        .flat_map(|(acts, words)| words.split_whitespace().map(|word| (word, WordSense { topics: 0, acts: *acts })));
    neutral.chain(verbs).chain(with_topics).chain(with_acts)
}

/// A list of words, stored as hashes. The rules check each sentence against hundreds of these lists, and comparing two
/// numbers is far cheaper than comparing two strings. Only words of the vocabulary are looked up, so an
/// unknown word can't match through a hash collision.
pub(crate) struct WordList {
    hashes: &'static [u64],
}

impl WordList {
    pub(crate) const fn of(hashes: &'static [u64]) -> Self {
        Self { hashes }
    }

    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.hashes.contains(&hash)
    }

    /// The index of a word in the list.
    pub(crate) fn place(&self, hash: u64) -> Option<usize> {
        self.hashes.iter().position(|known| *known == hash)
    }
}

pub(crate) const fn hashes<const N: usize>(words: [&str; N]) -> [u64; N] {
    let (mut hashes, mut at) = ([0; N], 0);
    while at < N {
        hashes[at] = fnv64::hash(words[at].as_bytes());
        at += 1;
    }
    hashes
}

/// Builds a word list, hashed at compile time.
macro_rules! words {
    ($($word:literal),+ $(,)?) => {{
        use $crate::licence::vocabulary::{WordList, hashes};
        const LIST: &WordList = &WordList::of(&const { hashes([$($word),+]) });
        LIST
    }};
}
pub(crate) use words;

/// Function words, and prose that asserts nothing by itself.
const NEUTRAL_WORDS: &str = "
a an the this that these those it its itself they them their theirs such
of in on at by for to from with as into onto upon per via between among across along about around towards through throughout
during
and or nor also both either well thus there here where when while whereas what which who whom whose how whether if
same own whole entire total overall together combined respectively namely further furthermore moreover additionally addition
meanwhile however accordingly altogether each every all
one ones
utc gmt time times date dates day days hour hours minute minutes week weeks month months year years moment moments
window windows period periods duration span hourly daily
point mark level levels step
id identifier number numbers figure figures name names reference count counts counting
km kilometre kilometres kilometer kilometers kmh km/h h
currency currencies
relation relationship regard respect terms term basis form manner way kind type types
absolute deviation modified z-score zscore robust
old age
regulatory
present
question fact facts any but besides alongside resulting remaining yet written creation maximum elapsed places redacted omits omit unnamed behind withheld difference
activity ratio length omitted why even against compare compares input method together taken
scale
order
result results
use
part parts
details detail
review reviewed
measure
independently
place
properties property
side
force
question
far
apart
given
located
view
subject
turn
matter
";

/// Verbs that relate two things without a direction. Other rules check the subject and the object.
const PLAIN_VERBS: &str = "
was were is are be been being had has have having did do does done
came come comes coming stood stand stands standing lay lies sat sits rested rests resting
concerned concerns concerning involved involves involving related relates relating regarding covered covers covering
comprised comprises comprising consisted consists consisting contained contains containing included includes including
spanned spans spanning lasted lasts lasting ran runs running ranged ranges ranging extended extends
amounted amounts amounting totalled totaled totalling totaling valued worth
took takes taken taking occurred occurs occurring happened happens happening
held holds holding kept keeps remained remains
belong belonged belongs belonging stayed stay stays corresponded corresponds corresponding
produced produces producing yielded yields returned returns came
placed places put puts
derived derives based composed composes built builds
followed
combined combines adding
arose arises
meant means mean
summed weighted limited corresponding
filed
continued continues
counted counts
known
existed exists
entered
received
served serves
received
accompanied accompanies
marked
judged judge
used uses using
connected connects
separated separates
coincided
turned
decided decides
left leaves
drew drawn draws
work
supported supports
read reads
dated
timed
logged
registered
captured
documented
noted
observed
detected
identified
";

/// Words by their topics.
const TOPIC_WORDS: &[(u64, &str)] = &[
    (
        TRANSACTION,
        "transaction transactions payment payments purchase purchases transfer transfers withdrawal withdrawals",
    ),
    (AMOUNT, "amount amounts money sum sums spent"),
    (MERCHANT, "merchant counterparty payee retailer vendor"),
    (CATEGORY, "category"),
    (CHANNEL, "channel instrument"),
    (LOCATION, "location locations country countries city cities jurisdiction jurisdictions"),
    (DEVICE, "device fingerprint"),
    (NETWORK, "network address ip"),
    (MEMO, "memo description note message"),
    (SOURCE, "source"),
    (DESTINATION, "destination"),
    (FUNDS, "funds"),
    (BASELINE, "baseline"),
    (MEDIAN, "median"),
    (HISTORY, "history habits habit spending behaviour behavior comparison norm"),
    (ACCOUNT, "account"),
    (ALERT, "alert alerts"),
    (INVESTIGATION, "investigation investigations case cases matter inquiry"),
    (CUSTOMER, "customer customers subject cardholder user client accountholder"),
    (DETECTOR, "detector"),
    (SYSTEM, "system"),
    (SENDER, "sender"),
    (RECORD, "record records file data log"),
    (REPORT, "report narrative explanation section summary justification assessment"),
    (TIMELINE, "timeline sequence chronology event events"),
    (PERSON, "person reviewer"),
    (SIGNAL, "signal signals indicator indicators check checks"),
    (RULE, "rule rules flag flags condition conditions"),
    (THRESHOLD, "threshold thresholds limit limits cutoff"),
    (BOUNDS, "bounds bound"),
    (VALUE, "value values reading readings measurement measurements z-score zscore result results"),
    (POINTS, "points point pts contribution contributions weight weights share"),
    (CAP, "cap capped"),
    (SCORE, "score scores scored scoring risk"),
    (SEVERITY, "severity classification"),
    (BAND, "band bands range"),
    (IMPACT, "impact"),
    (TRAVEL, "distance speed journey trip way travel"),
    (RATE, "rate pace frequency velocity"),
    (CURRENCY, "currency currencies"),
    (RULES_VERSION, "version hash"),
    (METHOD, "method"),
    (FIRST_SEEN, "duration beginning began begin lasted occurrence"),
    (COMPOSITION, "composed composition parts share weighed"),
    (CONTACT, "contact statement word"),
    (OUTCOME_OF_REVIEW, "decision decisions review"),
    (SPREAD, "spread"),
    (EVIDENCE, "evidence"),
    (TIME, "time times moment day hour minutes minute hours days"),
];

/// Words by their acts.
const ACT_WORDS: &[(u64, &str)] = &[
    (NO, "no without neither none lacked lack lacks lacking"),
    (NOT, "not never"),
    (NOTHING, "nothing"),
    (ABSENT, "missing absent unavailable absence unknown"),
    (
        STATE | VERB,
        "state stated states stating name named names naming give gave gives given provide provided provides supply supplied \
         supplies hold held holds carry carried carries include included includes show showed shown shows record recorded \
         records contain contained contains say said says noted mention mentioned mentions documented list listed lists \
         identified identify known report reported reports specify specified specifies bring brought find found established",
    ),
    (STATE, "available"),
    (FIRE | VERB, "fired fire fires firing triggered trigger triggers triggering tripped"),
    (CLEAR, "clear quiet"),
    (UP | VERB, "exceeded exceed exceeds exceeding surpassed surpass surpasses surpassing topped crossed outstripped"),
    (UP, "above beyond over higher larger greater bigger more upwards"),
    (DOWN, "below beneath lower smaller less fewer under short"),
    (EVEN | VERB, "equalled equaled equal equals matched met meets meeting matches"),
    (AGREE | VERB, "agreed agrees agree"),
    (DISAGREE | VERB, "disagreed disagrees disagree"),
    (NEED | VERB, "needed needs required requires require"),
    (REACHED | VERB, "reached reaches reach reaching hit"),
    (INSIDE, "inside within"),
    (OUTSIDE, "outside"),
    (COMPLETE | VERB, "completed executed settled processed"),
    (COMPLETE, "complete completion"),
    (ATTEMPT | VERB, "attempted attempt"),
    (BECAUSE, "because since owing due"),
    (THEREFORE, "therefore so hence thus consequently accordingly"),
    (LEAD | VERB, "led leads made makes making gave followed prompted caused resulted drove"),
    (BECAUSE, "reason reasons grounds cause"),
    (FIRST, "first earliest initial initially began"),
    (LAST, "last latest ended"),
    (THEN, "then"),
    (BEFORE, "before until preceded preceding precedes"),
    (AFTER, "after afterwards later subsequently following"),
    (AFTER | VERB, "followed follows"),
    (HEAVIEST, "heaviest strongest leading main primary dominant most"),
    (LIGHTEST, "lightest weakest least"),
    (LARGEST, "largest highest biggest greatest busiest"),
    (SMALLEST, "smallest lowest"),
    (ONLY, "only alone solely sole single"),
    (ALL, "all each every both"),
    (OTHER, "other another others else"),
    (
        UNUSUAL,
        "unusual unusually atypical atypically anomalous abnormal abnormally anomaly anomalies inconsistency deviation deviated departed departure",
    ),
    (USUAL, "usual usually typical typically normal normally customary regular"),
    (NEW, "new unfamiliar unseen"),
    (PRIOR, "prior previous previously earlier past preceding historical historic"),
    (SIMILAR, "similar comparable"),
    (
        MADE | VERB,
        "made make makes paid pays spent moved transferred withdrew bought purchased used initiated conducted",
    ),
    (RAISED | VERB, "raised raise raises created creates flagged flags generated generates issued opened"),
    (OPENED | VERB, "opened"),
    (OPENED, "opening open"),
    (CONTRIBUTE | VERB, "contributed contributes contributing contribute added adds add adding brought accounted"),
    (
        MEASURE | VERB,
        "assigned assigns assessed assesses classified classifies classed rated graded set sets measured measures counted computed calculated compared evaluated tested scored examined",
    ),
    (APPLY | VERB, "apply applied applies"),
    (ENTER | VERB, "enter entered enters"),
    (FIT | VERB, "fit fits match"),
    (AMONG, "among"),
    (SEEN | VERB, "seen saw"),
    (FOREIGN, "foreign domestic abroad"),
    (FELL | VERB, "fell fall falls fallen"),
    (CARD, "card"),
    (CASH, "cash machine atm withdrawal withdrawals"),
    (WIRE, "transfer transfers transferred wire"),
    (ONLINE, "online"),
    (UNCHANGED, "unchanged changed change changes"),
    (HELD | VERB, "held hold holds"),
];
