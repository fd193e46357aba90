//! Roles, and the minimum role that a route requires.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Invalid;

/// `viewer` < `investigator` < `reviewer` < `admin`. `agent` is outside this order and may only submit work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(rename_all = "lowercase")]
pub enum Role {
    Agent,
    Viewer,
    Investigator,
    Reviewer,
    Admin,
}

impl Role {
    pub const ALL: [Self; 5] = [Self::Agent, Self::Viewer, Self::Investigator, Self::Reviewer, Self::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Viewer => "viewer",
            Self::Investigator => "investigator",
            Self::Reviewer => "reviewer",
            Self::Admin => "admin",
        }
    }

    /// Whether this role may read customers' data unmasked.
    pub fn reads_customer_data(self) -> bool {
        self.rank() >= Self::Investigator.rank()
    }

    /// The position in the order of people's roles. Agents are not part of it.
    fn rank(self) -> u8 {
        match self {
            Self::Agent => 0,
            Self::Viewer => 1,
            Self::Investigator => 2,
            Self::Reviewer => 3,
            Self::Admin => 4,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| Invalid::new("role", "must be agent, viewer, investigator, reviewer or admin"))
    }
}

/// The minimum role that a route requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequiredRole {
    /// Anybody, without a key.
    Open,
    /// Submitting work: agents, and people with the role investigator or above.
    SendWork,
    /// People with this role or above.
    Role(Role),
}

impl RequiredRole {
    pub fn admits(self, role: Role) -> bool {
        match self {
            Self::Open => true,
            Self::SendWork => role == Role::Agent || role.rank() >= Role::Investigator.rank(),
            Self::Role(required) => role != Role::Agent && role.rank() >= required.rank(),
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "none",
            Self::SendWork => "agent",
            Self::Role(role) => role.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(required: RequiredRole, admitted: &[Role]) {
        let found: Vec<_> = Role::ALL.into_iter().filter(|role| required.admits(*role)).collect();
        assert_eq!(found, admitted, "{required:?}");
    }

    #[test]
    fn each_role_includes_the_lower_ones_and_agents_only_submit_work() {
        check(RequiredRole::Open, &Role::ALL);
        check(RequiredRole::SendWork, &[Role::Agent, Role::Investigator, Role::Reviewer, Role::Admin]);
        check(RequiredRole::Role(Role::Viewer), &[Role::Viewer, Role::Investigator, Role::Reviewer, Role::Admin]);
        check(RequiredRole::Role(Role::Reviewer), &[Role::Reviewer, Role::Admin]);
        check(RequiredRole::Role(Role::Admin), &[Role::Admin]);
    }
}
