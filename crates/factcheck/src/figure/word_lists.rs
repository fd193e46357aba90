//! Stage 4, figures: the lists of words that the readers rely on. `lexicon.rs` makes them classes of words, so that a token
//! knows which lists it is in.

/// Words that end like a plural but are not one. Most are verbs.
pub(crate) const NO_PLURALS: &str = "
was is has this its as does across plus less versus previous corresponds contributes remains lies exceeds adds equals
places falls makes shows means indicates suggests represents reflects results comes stands gives brings fires applies
belongs differs matches includes covers justifies supports reaches triggers whereas towards
";

pub(crate) const FUNCTION_WORDS: &str = "
a an the of in on at to for from by with and or but was were is are be been had has have which that this these those
it its as than over under above below within against while when where who so because after before during since until
per each made came did does do not if then across between through into out up contributed contributes stood lies lay
falls fell exceeds exceeded remains
";

/// Words that a date, a number, money, a multiple or a count of zero may start with. A currency code in capitals may
/// start one too.
pub(crate) const OPENERS: &str = "
january jan february feb march mar april apr may june jun july jul august aug september sep sept october oct november nov
december dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
sundays usd eur gbp jpy chf cad aud nzd inr cny sek nok dkk brl a an half zero one two three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fourty fifty sixty seventy
eighty ninety dozen hundred thousand million mio billion trillion twice double doubled doubling twofold thrice triple tripled
tripling treble threefold quadruple quadrupled fourfold fivefold tenfold halved hundreds thousands millions billions dozens
tens quarter quarters thirds fifths tenths second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth no without
";
