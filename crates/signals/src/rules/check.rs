//! Checks that an expression can be evaluated for every transaction: names are known, and operands fit their operators.

use cel::{
    IdedExpr,
    common::ast::{CallExpr, Expr, LiteralValue, operators as op},
};

use super::variables::{self, METADATA_PREFIX, RuleValueKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpressionType {
    Single(RuleValueKind),
    /// A list literal. An empty one has no kind.
    List(Option<RuleValueKind>),
}

const BOOL: ExpressionType = ExpressionType::Single(RuleValueKind::Bool);

/// What the check has found out about an expression so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ExpressionCheck {
    pub(super) uses_clock: bool,
    nodes: usize,
}

const NODES_MAX: usize = 200;

/// Bounds the nesting before parsing, because the parser's time and stack grow with it.
pub(super) fn nesting(text: &str, max: usize) -> Result<(), String> {
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'?' => depth += 1,
            b')' | b']' | b'}' | b':' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > max {
            return Err(format!("the expression is nested deeper than {max} levels"));
        }
    }
    Ok(())
}

pub(super) fn expression(expression: &IdedExpr) -> Result<ExpressionCheck, String> {
    let mut check = ExpressionCheck::default();
    match check.check(expression)? {
        BOOL => Ok(check),
        other => Err(format!("the expression is {}, not true or false", other.name())),
    }
}

impl ExpressionCheck {
    fn check(&mut self, expression: &IdedExpr) -> Result<ExpressionType, String> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Err(format!("the expression has more than {NODES_MAX} parts"));
        }
        match &expression.expr {
            Expr::Literal(literal) => of_literal(literal),
            Expr::Ident(name) => self.variable(name),
            Expr::List(list) => self.list(&list.elements),
            Expr::Call(call) => self.call(call),
            Expr::Select(select) => Err(format!("there is no field \"{}\": variables are single values", select.field)),
            Expr::Comprehension(_) => Err("loops (all, exists, map, filter) are not supported".into()),
            Expr::Map(_) | Expr::Struct(_) => Err("maps and messages are not supported".into()),
            Expr::Unspecified => Err("the expression is empty".into()),
        }
    }

    fn variable(&mut self, name: &str) -> Result<ExpressionType, String> {
        self.uses_clock |= matches!(name, "hour" | "weekday");
        if name.len() > METADATA_PREFIX.len() && name.starts_with(METADATA_PREFIX) {
            return Ok(ExpressionType::Single(RuleValueKind::Text));
        }
        let known = variables::ALL.iter().find(|variable| variable.name == name);
        known
            .map(|variable| ExpressionType::Single(variable.kind))
            .ok_or_else(|| format!("there is no variable \"{name}\""))
    }

    fn list(&mut self, elements: &[IdedExpr]) -> Result<ExpressionType, String> {
        let mut kind = None;
        for element in elements {
            let found = self.single(element)?;
            if kind.is_some_and(|kind| kind != found) {
                return Err("the values of a list must be of one kind".into());
            }
            kind = Some(found);
        }
        Ok(ExpressionType::List(kind))
    }

    fn single(&mut self, expression: &IdedExpr) -> Result<RuleValueKind, String> {
        match self.check(expression)? {
            ExpressionType::Single(kind) => Ok(kind),
            ExpressionType::List(_) => Err("a list is only allowed after `in`".into()),
        }
    }

    fn call(&mut self, call: &CallExpr) -> Result<ExpressionType, String> {
        if let (op::IN, [value, list]) = (call.func_name.as_str(), call.args.as_slice()) {
            return self.membership(value, list);
        }
        let target = call.target.iter().map(AsRef::as_ref);
        let kinds: Vec<RuleValueKind> = target.chain(&call.args).map(|it| self.single(it)).collect::<Result<_, _>>()?;
        let may_fail = |it: &IdedExpr| !matches!(&it.expr, Expr::Literal(LiteralValue::Int(n)) if *n.inner() != 0 && *n.inner() != -1);
        if matches!(call.func_name.as_str(), op::DIVIDE | op::MODULO)
            && kinds.last() == Some(&RuleValueKind::Int)
            && call.args.last().is_some_and(may_fail)
        {
            return Err(
                "a whole number can only be divided by a number that is written out and is neither 0 nor -1".into()
            );
        }
        of_call(&call.func_name, call.target.is_some(), &kinds).map(ExpressionType::Single)
    }

    fn membership(&mut self, value: &IdedExpr, list: &IdedExpr) -> Result<ExpressionType, String> {
        let value = self.single(value)?;
        match self.check(list)? {
            ExpressionType::List(kind) if kind.is_none_or(|kind| kind == value) => Ok(BOOL),
            _ => Err(format!("`in` looks for {} in a list of the same kind", value.name())),
        }
    }
}

fn of_literal(literal: &LiteralValue) -> Result<ExpressionType, String> {
    Ok(ExpressionType::Single(match literal {
        LiteralValue::Boolean(_) => RuleValueKind::Bool,
        LiteralValue::Int(_) => RuleValueKind::Int,
        LiteralValue::Double(_) => RuleValueKind::Double,
        LiteralValue::String(_) => RuleValueKind::Text,
        LiteralValue::UInt(_) | LiteralValue::Bytes(_) | LiteralValue::Null => {
            return Err("only true, false, whole numbers, decimals and text are allowed as values".into());
        }
    }))
}

/// The result of an operator or function for operands of these kinds. A method's object comes first.
fn of_call(name: &str, is_method: bool, kinds: &[RuleValueKind]) -> Result<RuleValueKind, String> {
    use RuleValueKind::{Bool, Double, Int, Text};
    match (name, is_method, kinds) {
        (op::LOGICAL_AND | op::LOGICAL_OR, false, [Bool, Bool]) | (op::LOGICAL_NOT, false, [Bool]) => Ok(Bool),
        (op::EQUALS | op::NOT_EQUALS, false, [a, b]) if are_comparable(*a, *b) => Ok(Bool),
        (op::LESS | op::LESS_EQUALS | op::GREATER | op::GREATER_EQUALS, false, [a, b])
            if are_comparable(*a, *b) && *a != Bool =>
        {
            Ok(Bool)
        }
        (op::ADD | op::SUBSTRACT | op::MULTIPLY | op::DIVIDE | op::MODULO, false, [Int, Int]) => Ok(Int),
        (op::ADD | op::SUBSTRACT | op::MULTIPLY | op::DIVIDE, false, [Double, Double]) => Ok(Double),
        (op::NEGATE, false, [number @ (Int | Double)]) => Ok(*number),
        (op::CONDITIONAL, false, [Bool, a, b]) if a == b => Ok(*a),
        ("contains" | "startsWith" | "endsWith", true, [Text, Text]) => Ok(Bool),
        ("size", _, [Text]) => Ok(Int),
        ("double", false, [Int | Double | Text]) => Ok(Double),
        ("int", false, [Int | Double | Text]) => Ok(Int),
        (name, ..) => Err(refusal(name, kinds)),
    }
}

fn are_comparable(a: RuleValueKind, b: RuleValueKind) -> bool {
    let is_number = |kind| matches!(kind, RuleValueKind::Int | RuleValueKind::Double);
    a == b || (is_number(a) && is_number(b))
}

fn refusal(name: &str, kinds: &[RuleValueKind]) -> String {
    const KNOWN: [&str; 6] = ["contains", "startsWith", "endsWith", "size", "double", "int"];
    let operator = name.trim_matches('_');
    let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
    let is_operator = operator != name || name == op::NEGATE;
    match is_operator || KNOWN.contains(&name) {
        true => format!("`{operator}` does not take {} (decimals are written 2.0)", kinds.join(" and ")),
        false => format!("there is no function \"{name}\""),
    }
}

impl RuleValueKind {
    fn name(self) -> &'static str {
        match self {
            Self::Bool => "true or false",
            Self::Int => "a whole number",
            Self::Double => "a decimal",
            Self::Text => "text",
        }
    }
}

impl ExpressionType {
    fn name(self) -> &'static str {
        match self {
            Self::Single(kind) => kind.name(),
            Self::List(_) => "a list",
        }
    }
}
