//! Finds the events of a sentence in one pass, from the words shortly before each word.

use super::class::Class as C;
use super::event::{SpeechEvent, Stance};
use super::read::Token;

/// The 1-based position where a class was last seen; 0 if it was not seen.
type Last = usize;

const CLASSES: usize = 96;

struct ClassedSentence<'t> {
    tokens: &'t [Token],
    last: [Last; CLASSES],
    /// The sentence argues against what it quotes or reports.
    is_countered: bool,
    /// The sentence ends in a question mark.
    asks: bool,
}

/// Calls `found` for every event of a sentence, with the token that completes it. `group_before` says whether a group
/// was named in the preceding text.
pub(crate) fn events(
    tokens: &[Token],
    group_before: bool,
    is_countered: bool,
    found: &mut dyn FnMut(SpeechEvent, Stance, usize),
) {
    let asks = tokens.last().is_some_and(|last| last.class == C::Ask);
    let mut sentence = ClassedSentence { tokens, last: [0; CLASSES], is_countered, asks };
    for (at, token) in tokens.iter().enumerate() {
        // Most words can't complete an event.
        if !matches!(token.class, C::Other | C::Plain | C::To | C::And | C::Be | C::Comma | C::Stop) {
            sentence.events_at(at, group_before, found);
        }
        sentence.last[token.class as usize] = at + 1;
    }
}

const GROUPS: &[C] = &[C::Group, C::Gender, C::Woman];
const BAD: &[C] = &[C::BadAdj, C::Insult, C::Dehum, C::Crime, C::Slur, C::Misog];
const INTENT: &[C] = &[C::IWill, C::Will, C::Want, C::Let, C::Modal, C::Deserve, C::Denial];
const YOU: &[C] = &[C::You, C::YouAre, C::Your];
const THEM: &[C] = &[C::He, C::HeIs, C::They, C::TheyAre];
const BEING: &[C] = &[C::Be, C::YouAre, C::HeIs, C::TheyAre];
const HURTING: &[C] = &[C::KillV, C::HarmV];

impl ClassedSentence<'_> {
    /// The position of the last of these classes before `at`, at most `within` tokens away.
    fn near(&self, at: usize, within: usize, classes: &[C]) -> Option<usize> {
        let last = classes.iter().map(|&class| self.last[class as usize]).max().unwrap_or(0);
        // The last occurrence may come after `at` if `at` is an earlier position.
        let away = (at + 1).checked_sub(last).filter(|_| last > 0)?;
        (away <= within).then(|| last - 1)
    }

    fn next(&self, at: usize) -> C {
        self.tokens.get(at + 1).map_or(C::Stop, |token| token.class)
    }

    /// Whether the speaker's own view follows the verb: "I say", "we think".
    fn is_own_voice(&self, verb: usize) -> bool {
        let before = &self.tokens[verb.saturating_sub(3)..verb];
        before.iter().any(|token| matches!(token.class, C::I | C::We | C::Why | C::Opinion))
    }

    fn stance(&self, first: usize, at: usize) -> Stance {
        let token = self.tokens[at];
        let ascribed = self.near(first, 10, &[C::Whoever]).is_some();
        let reported = self.near(first, 5, &[C::Say, C::Word]).is_some_and(|verb| !self.is_own_voice(verb));
        let negated = self.last[C::Neg as usize].max(self.last[C::Denial as usize]);
        let clause_break = self.last[C::Comma as usize].max(self.last[C::And as usize]);
        let reaches =
            negated > first.saturating_sub(3) || (negated > first.saturating_sub(7) && clause_break < negated);
        // "Shouldn't they all …?" is not a denial.
        let denied = reaches && negated != 0 && !(self.asks && negated == 1);
        match () {
            () if token.quoted && (self.is_countered || reported || ascribed) => Stance::QuotedAgainst,
            () if denied => Stance::Denied,
            () if token.quoted => Stance::Quoted,
            () if self.is_countered => Stance::Answered,
            () if ascribed => Stance::Ascribed,
            () if reported => Stance::Reported,
            () => Stance::Asserted,
        }
    }

    /// Emits the events that the word at `at` completes.
    fn events_at(&self, at: usize, group_before: bool, found: &mut dyn FnMut(SpeechEvent, Stance, usize)) {
        let class = self.tokens[at].class;
        let mut emit = |event, first: usize| found(event, self.stance(first, at), at);
        match class {
            C::Group | C::Gender | C::Woman => {
                self.at_group(at, &mut emit);
                self.group_rejected(at, found);
                self.group_hated(at, found);
            }
            _ if class.is_bad() => self.at_bad_word(at, group_before, &mut emit),
            C::KillV | C::HarmV | C::Die | C::Remove => self.at_violence(at, group_before, &mut emit),
            C::HateV | C::Sicken => {
                let sickens = class == C::Sicken || matches!(self.next(at), C::Me | C::We);
                if let Some(group) = self.near(at, 4, GROUPS).filter(|_| sickens) {
                    emit(SpeechEvent::GroupHated, group);
                } else if let Some(they) = self.near(at, 3, &[C::They]).filter(|_| sickens && group_before) {
                    emit(SpeechEvent::GroupMeant, they);
                }
            }
            C::Denial => {
                let hurt =
                    self.tokens[at..].iter().take(5).any(|token| matches!(token.class, C::KillV | C::Die | C::HarmV));
                if let Some(group) = self.near(at, 6, GROUPS).filter(|_| !hurt) {
                    found(SpeechEvent::GroupDenied, self.stance_of_negation(group, at), at);
                }
            }
            C::Worth | C::Positive | C::Deserve => {
                let denied = self.near(at, 4, &[C::Neg]);
                let group = self.near(at, 9, GROUPS).filter(|&group| denied.is_some_and(|denied| denied > group));
                if let Some(group) = group {
                    let close = self.near(at, 2, &[C::Neg]).is_some() && class == C::Worth;
                    let event = if close { SpeechEvent::GroupDenied } else { SpeechEvent::GroupDoubted };
                    found(event, self.stance_of_negation(group, at), at);
                }
            }
            C::You | C::Your => self.at_you(at, &mut emit),
            C::They | C::He => self.at_them(at, group_before, &mut emit),
            C::My => {
                let hurt = self.near(at, 2, &[C::KillV]);
                if let Some(intent) = hurt.and_then(|hurt| self.near(hurt, 5, &[C::IWill, C::Want])) {
                    emit(SpeechEvent::OtherThreatened, intent);
                }
            }
            C::SelfWord if self.near(at, 8, &[C::I, C::My, C::Me, C::IWill]).is_some() => {
                found(
                    SpeechEvent::SelfHarmHinted,
                    if self.is_countered { Stance::Answered } else { Stance::Asserted },
                    at,
                );
            }
            C::SelfCall => emit(SpeechEvent::SelfHarmUrged, at),
            // This class names the speaker's own intent, so the stance is asserted even in reported speech.
            C::SelfOwn => found(
                SpeechEvent::SelfHarmMeant,
                if self.is_countered { Stance::Answered } else { Stance::Asserted },
                at,
            ),
            _ => {}
        }
        if matches!(class, C::Slur | C::Misog | C::Reclaim) {
            self.at_slur(at, found);
        }
        let sexual = [C::SexCore, C::SexHard, C::SexMild];
        let with_minor = (class == C::Minor && self.near(at, 25, &[C::SexHard, C::SexCore]).is_some())
            || (matches!(class, C::SexHard | C::SexCore) && self.near(at, 25, &[C::Minor]).is_some())
            || (class == C::Minor && self.near(at, 4, &sexual).is_some());
        if with_minor {
            found(SpeechEvent::SexualMinor, Stance::Asserted, at);
        }
    }

    /// The stance of an event in which the negation is itself the attack, so that it is not a denial.
    fn stance_of_negation(&self, first: usize, at: usize) -> Stance {
        match self.stance(first, at) {
            Stance::Denied if self.is_countered => Stance::Answered,
            Stance::Denied => Stance::Asserted,
            other => other,
        }
    }

    fn at_group(&self, at: usize, emit: &mut dyn FnMut(SpeechEvent, usize)) {
        if let Some(bad) = self.near(at, 2, BAD).or_else(|| self.near(at, 1, &[C::Prof])) {
            emit(SpeechEvent::GroupNamed, bad);
        }
        if let Some(hurt) = self.near(at, 4, &[C::KillV, C::HarmV, C::Remove]) {
            let intent = self.near(hurt, 5, INTENT);
            let event =
                if intent.is_some() || hurt == 0 { SpeechEvent::GroupThreatened } else { SpeechEvent::GroupHarmed };
            emit(event, intent.unwrap_or(hurt));
        }
        let just = self.near(at, 5, &[C::YouAre, C::HeIs]).filter(|_| self.near(at, 3, &[C::So]).is_some());
        if let Some(just) = just {
            emit(SpeechEvent::GroupJustThat, just);
        }
    }

    /// Hatred counts as the speaker's unless it is attributed to others.
    fn group_hated(&self, at: usize, found: &mut dyn FnMut(SpeechEvent, Stance, usize)) {
        let Some(hated) = self.near(at, 5, &[C::HateV, C::Sicken]) else { return };
        let by_speaker = self.near(hated, 4, &[C::I, C::We, C::IWill]).is_some();
        let by_others = self.near(hated, 3, &[C::Person, C::They, C::He, C::Job, C::Group, C::Gender]).is_some();
        let stance = match self.stance(hated, at) {
            Stance::Asserted if by_others && !by_speaker => Stance::Ascribed,
            stance => stance,
        };
        found(SpeechEvent::GroupHated, stance, at);
    }

    /// In "I don't want / respect / trust …", the negation itself is the attack.
    fn group_rejected(&self, at: usize, found: &mut dyn FnMut(SpeechEvent, Stance, usize)) {
        if let Some(denial) = self.near(at, 3, &[C::Denial]) {
            found(SpeechEvent::GroupDenied, self.stance_of_negation(denial, at), at);
        }
        let unwanted = self.near(at, 4, &[C::Want, C::Worth, C::Positive]);
        let denied = self.near(at, 6, &[C::Neg]).filter(|&denied| unwanted.is_some_and(|unwanted| denied < unwanted));
        if let Some(denied) = denied {
            found(SpeechEvent::GroupDenied, self.stance_of_negation(denied, at), at);
        }
    }

    fn at_bad_word(&self, at: usize, group_before: bool, emit: &mut dyn FnMut(SpeechEvent, usize)) {
        let being = self.near(at, 6, BEING);
        if let Some(group) = self.near(at, 8, GROUPS) {
            let like = self.near(at, 3, &[C::Than]);
            if being.or(like).is_some_and(|between| between > group) || at - group <= 2 {
                emit(SpeechEvent::GroupCalled, group);
            }
        } else if let Some(they) = self.near(at, 5, &[C::They, C::TheyAre]).filter(|_| group_before) {
            emit(SpeechEvent::GroupMeant, they);
        }
        if let Some(you) = self.near(at, 5, &[C::YouAre]) {
            emit(SpeechEvent::YouCalled, you);
        } else if let Some(you) = self.near(at, 3, &[C::You]) {
            emit(SpeechEvent::YouNamed, you);
        } else if let Some(other) = self.near(at, 5, &[C::HeIs, C::TheyAre]) {
            emit(SpeechEvent::OtherCalled, other);
        } else if let Some(i) = self.near(at, 5, &[C::I]).filter(|_| self.near(at, 6, GROUPS).is_none()) {
            emit(SpeechEvent::SelfCalled, i);
        }
    }

    fn at_violence(&self, at: usize, group_before: bool, emit: &mut dyn FnMut(SpeechEvent, usize)) {
        let class = self.tokens[at].class;
        let Some(intent) = self.near(at, 6, INTENT) else {
            if let Some(group) = self.near(at, 5, GROUPS).filter(|_| class == C::Remove) {
                emit(SpeechEvent::GroupUnwelcome, group);
            }
            return;
        };
        if let Some(group) = self.near(at, 9, GROUPS) {
            emit(SpeechEvent::GroupDoomed, group.min(intent));
        } else if class == C::HarmV {
        } else if let Some(you) =
            self.near(at, 6, YOU).filter(|_| class != C::KillV || self.near(at, 3, BEING).is_some())
        {
            emit(SpeechEvent::YouDoomed, you.min(intent));
        } else if let Some(them) = self.near(at, 6, THEM) {
            let event = if group_before { SpeechEvent::GroupMeant } else { SpeechEvent::OtherDoomed };
            emit(event, them.min(intent));
        }
    }

    fn at_you(&self, at: usize, emit: &mut dyn FnMut(SpeechEvent, usize)) {
        if let Some(cursed) = self.near(at, 1, &[C::Prof]) {
            emit(SpeechEvent::YouCursed, cursed);
        }
        if let Some(hated) =
            self.near(at, 2, &[C::HateV]).filter(|&hated| self.near(hated, 3, &[C::I, C::We]).is_some())
        {
            emit(SpeechEvent::YouCursed, hated);
        }
        let intent = self.near(at, 3, HURTING).and_then(|hurt| self.near(hurt, 7, INTENT));
        if let Some(intent) = intent {
            emit(SpeechEvent::YouThreatened, intent);
        }
    }

    fn at_them(&self, at: usize, group_before: bool, emit: &mut dyn FnMut(SpeechEvent, usize)) {
        let group = group_before || self.near(at, 25, GROUPS).is_some();
        if let Some(hated) = self.near(at, 3, &[C::HateV]).filter(|_| group) {
            emit(SpeechEvent::GroupMeant, hated);
        }
        let Some(hurt) = self.near(at, 3, &[C::KillV, C::HarmV, C::Remove]) else { return };
        let Some(intent) = self.near(hurt, 7, INTENT) else { return };
        emit(if group { SpeechEvent::GroupMeant } else { SpeechEvent::OtherThreatened }, intent);
    }

    fn at_slur(&self, at: usize, found: &mut dyn FnMut(SpeechEvent, Stance, usize)) {
        let class = self.tokens[at].class;
        let stance = self.stance(at, at);
        let us = self.near(at, 5, &[C::We, C::Me, C::My, C::I]).is_some() || matches!(self.next(at), C::We | C::Me);
        let you = self.near(at, 5, YOU).is_some();
        let mention = self.near(at, 5, &[C::Say, C::Word]).is_some() || self.tokens[at].quoted;
        if mention {
            found(SpeechEvent::SlurMentioned, stance, at);
        } else if us && !you {
            found(SpeechEvent::SlurAmongUs, stance, at);
        } else if you {
            found(SpeechEvent::SlurAtYou, stance, at);
        }
        if class == C::Slur && !mention {
            found(SpeechEvent::SlurSaid, stance, at);
        }
    }
}
