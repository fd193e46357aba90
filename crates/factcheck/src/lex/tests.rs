use super::*;

fn kinds(text: &str) -> Vec<String> {
    let folded = FoldedText::of(text);
    let name = |token: &Token<'_>| {
        let kind = match token.kind {
            TokenKind::Word => "word",
            TokenKind::Number(_) => "number",
            TokenKind::Date(_) => "date",
            TokenKind::TimeOfDay(_) => "time",
            TokenKind::Timestamp(..) => "timestamp",
            TokenKind::Id => "id",
            TokenKind::SnakeCase => "snake_case",
            TokenKind::Mark(_) => "mark",
            TokenKind::UnreadableNumber => "unreadable",
            TokenKind::Signal(_) | TokenKind::SenderName => "sender_name",
        };
        format!("{kind}:{}", token.text)
    };
    tokens(&folded).iter().map(name).collect()
}

#[test]
fn a_chunk_is_split_into_tokens_of_the_right_kinds() {
    for (text, expected) in [
        ("USD1250, 24h", "word:USD number:1250 mark:, number:24 word:h"),
        ("24-hour 60-79 75/100", "number:24 mark:- word:hour number:60 mark:- number:79 number:75 mark:/ number:100"),
        ("2026-03-01T09:30:00Z at 09:30am", "timestamp:2026-03-01T09:30:00Z word:at time:09:30 word:am"),
        ("tx-123 l250 1e3 ***7731.", "id:tx-123 id:l250 id:1e3 id:***7731 mark:."),
        ("amount_deviation and/or km/h", "snake_case:amount_deviation word:and mark:/ word:or word:km/h"),
        ("½ Ⅳ 1,25,0", "unreadable:½ unreadable:Ⅳ unreadable:1,25,0"),
        ("01/03/2026 1.3.2026", "date:01/03/2026 date:1.3.2026"),
        ("e6f0a1b2-0000-4000-8000-000000000001", "id:e6f0a1b2-0000-4000-8000-000000000001"),
    ] {
        assert_eq!(kinds(text).join(" "), expected, "{text}");
    }
}
