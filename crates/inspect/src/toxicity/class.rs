//! The classes of tokens: a word's class in the lexicon, or the kind of punctuation mark.

macro_rules! classes {
    ($($variant:ident $name:literal),* $(,)?) => {
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Class {
            /// The word is not in any list.
            #[default]
            Other,
            $($variant),*
        }

        impl Class {
            /// The class with the name that a line of the lexicon gives.
            pub(super) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

classes! {
    I "i", IWill "iwill", Me "me", My "my", We "we", You "you", YouAre "youare", Your "your", They "they", TheyAre "theyare", He "he",
    HeIs "heis", Be "be", Neg "neg", Modal "modal", Deserve "deserve", Will "will", Want "want", Let "let", All "all", How "how",
    What "what", Why "why", Say "say", Word "word", Whoever "whoever", Opinion "opinion", So "so", Than "than", To "to",
    And "and", Person "person", Group "group", IdAdj "idadj", Gender "gender", Woman "woman", Religion "religion", Slur "slur",
    Reclaim "reclaim", Misog "misog", Prof "prof", Damn "damn", Insult "insult", BadAdj "badadj", Dehum "dehum", Crime "crime",
    HateV "hatev", Sicken "sicken", Denial "denial", Positive "positive", Worth "worth", Counter "counter", Remove "remove", KillV "killv", HarmV "harmv",
    Die "die", Gore "gore", Weapon "weapon", SelfCall "selfcall", SelfOwn "selfown", SelfWord "selfword", Help "help",
    SexCore "sexcore", SexHard "sexhard", SexMild "sexmild", Minor "minor", Health "health", Tech "tech", Fiction "fiction", History "history",
    Assist "assist", Object "object", Job "job", Plain "plain",
    // Punctuation marks, which no list names.
    Quote "\"", Ask "?", Cry "!", Stop ".", Comma ",",
}

impl Class {
    /// Frame words, which carry no meaning by themselves: function words and unlisted words.
    pub(super) fn is_frame(self) -> bool {
        (self as u8) <= Self::And as u8 || matches!(self, Self::Other | Self::Plain)
    }

    /// Words that say something bad about the person they refer to.
    pub(super) fn is_bad(self) -> bool {
        matches!(
            self,
            Self::BadAdj | Self::Insult | Self::Dehum | Self::Crime | Self::Slur | Self::Misog | Self::Reclaim
        )
    }

    /// Words that people mask with asterisks.
    pub(super) fn is_masked(self) -> bool {
        matches!(self, Self::Slur | Self::Misog | Self::Prof | Self::Insult | Self::SexCore)
    }

    /// Words worth searching for in words written together; other words occur too often as parts of ordinary words.
    pub(super) fn is_sought_in_glued_words(self) -> bool {
        self.is_bad()
            || matches!(
                self,
                Self::Group
                    | Self::Gender
                    | Self::Prof
                    | Self::HateV
                    | Self::KillV
                    | Self::Deserve
                    | Self::SelfCall
                    | Self::SexCore
            )
    }

    pub(super) fn is_group(self) -> bool {
        matches!(self, Self::Group | Self::Gender | Self::Slur)
    }

    /// Words for a person's identity, which must have no weight by themselves.
    pub(super) fn is_identity(self) -> bool {
        matches!(
            self,
            Self::Group | Self::IdAdj | Self::Gender | Self::Woman | Self::Religion | Self::Person | Self::Job
        )
    }
}

impl Class {
    pub(super) fn is_mark(self) -> bool {
        (self as u8) >= Self::Quote as u8
    }
}
