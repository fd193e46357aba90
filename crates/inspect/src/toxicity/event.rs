//! Events: what a sentence says about or does to somebody, found by the classes of words and their order, never by a
//! single word.
//!
//! An event has a stance: asserted, denied, quoted, reported, or answered by counter-speech. The model weighs an event
//! together with its stance, so "no one deserves to die" and "they deserve to die" are different features.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SpeechEvent {
    /// "I hate …" with a group.
    GroupHated,
    /// A group is called something bad.
    GroupCalled,
    /// Something bad directly before a group's name.
    GroupNamed,
    /// A group should die, burn or be removed.
    GroupDoomed,
    /// Violence with a group as its object, announced or called for.
    GroupThreatened,
    /// Violence near a group's name, without stated intent.
    GroupHarmed,
    /// A group is said not to be human, to have no rights or not to belong.
    GroupDenied,
    /// Something good is said about a group, but with a negation nearby.
    GroupDoubted,
    /// A group is mentioned together with a way to get rid of it.
    GroupUnwelcome,
    /// "they" or "them" refers to a previously named group that is hated, threatened or called something bad.
    GroupMeant,
    SlurSaid,
    SlurAtYou,
    /// The speaker uses the slur for their own group.
    SlurAmongUs,
    SlurMentioned,
    /// "You are such a …" with a group's name.
    GroupJustThat,
    /// "I am such an …".
    SelfCalled,
    YouCalled,
    YouNamed,
    OtherCalled,
    YouCursed,
    YouThreatened,
    OtherThreatened,
    YouDoomed,
    OtherDoomed,
    SelfHarmUrged,
    SelfHarmMeant,
    /// The speaker and a word for self-harm, without a clear statement.
    SelfHarmHinted,
    SexualMinor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stance {
    Asserted,
    Denied,
    /// Quoted in order to contradict or report it.
    QuotedAgainst,
    Quoted,
    /// The text argues against it.
    Answered,
    /// Attributed to people who think or act that way.
    Ascribed,
    /// Follows "says" or the like, but not in the speaker's own name.
    Reported,
}

impl Stance {
    #[cfg(feature = "training")]
    pub(crate) const ALL: &'static [Self] = &[
        Self::Asserted,
        Self::Denied,
        Self::QuotedAgainst,
        Self::Quoted,
        Self::Answered,
        Self::Ascribed,
        Self::Reported,
    ];
}

impl SpeechEvent {
    #[cfg(feature = "training")]
    pub(crate) const ALL: &'static [Self] = &[
        Self::GroupHated,
        Self::GroupCalled,
        Self::GroupNamed,
        Self::GroupDoomed,
        Self::GroupThreatened,
        Self::GroupHarmed,
        Self::GroupDenied,
        Self::GroupDoubted,
        Self::GroupUnwelcome,
        Self::GroupMeant,
        Self::SlurSaid,
        Self::SlurAtYou,
        Self::SlurAmongUs,
        Self::SlurMentioned,
        Self::GroupJustThat,
        Self::SelfCalled,
        Self::YouCalled,
        Self::YouNamed,
        Self::OtherCalled,
        Self::YouCursed,
        Self::YouThreatened,
        Self::OtherThreatened,
        Self::YouDoomed,
        Self::OtherDoomed,
        Self::SelfHarmUrged,
        Self::SelfHarmMeant,
        Self::SelfHarmHinted,
        Self::SexualMinor,
    ];

    /// The type of finding that an asserted event leads to.
    pub(super) fn r#type(self) -> &'static str {
        match self {
            Self::SelfCalled | Self::YouCalled | Self::YouNamed | Self::OtherCalled | Self::YouCursed => "INSULT",
            Self::YouThreatened | Self::OtherThreatened | Self::YouDoomed | Self::OtherDoomed => "THREAT",
            Self::SelfHarmUrged | Self::SelfHarmMeant | Self::SelfHarmHinted => "SELF_HARM",
            Self::SexualMinor => "SEXUAL",
            _ => "IDENTITY_ATTACK",
        }
    }

    /// The initial weight of an event in log-odds, before training.
    #[cfg(feature = "training")]
    pub(crate) fn prior(self, stance: Stance) -> f32 {
        let asserted = self.asserted_prior();
        match stance {
            Stance::Asserted => asserted,
            _ if asserted < 0.0 => asserted,
            // Only attacks on groups are commonly denied or answered.
            Stance::Denied | Stance::QuotedAgainst | Stance::Answered | Stance::Ascribed
                if self.r#type() != "IDENTITY_ATTACK" =>
            {
                0.0
            }
            Stance::Denied | Stance::QuotedAgainst => -1.5,
            Stance::Answered | Stance::Ascribed => -1.0,
            Stance::Quoted => 0.5 * asserted,
            Stance::Reported => 0.3 * asserted,
        }
    }

    #[cfg(feature = "training")]
    fn asserted_prior(self) -> f32 {
        match self {
            Self::GroupHated | Self::GroupCalled | Self::GroupThreatened | Self::GroupDoomed => 4.5,
            Self::GroupNamed | Self::GroupDenied | Self::SlurAtYou | Self::SelfHarmUrged => 4.0,
            Self::SlurSaid | Self::GroupMeant | Self::YouCalled | Self::YouThreatened | Self::SexualMinor => 3.5,
            Self::YouNamed | Self::YouCursed | Self::YouDoomed | Self::GroupJustThat => 3.0,
            Self::GroupDoubted
            | Self::GroupUnwelcome
            | Self::OtherThreatened
            | Self::SelfHarmMeant
            | Self::OtherCalled
            | Self::OtherDoomed => 2.0,
            Self::GroupHarmed | Self::SelfHarmHinted => 1.0,
            Self::SlurAmongUs | Self::SlurMentioned | Self::SelfCalled => -2.0,
        }
    }
}
