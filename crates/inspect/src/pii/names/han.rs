//! Finds street addresses in Chinese and Japanese, which are written without spaces, and a person named before one.
//! Names are looked for only before an address, because two characters alone can be any word.

use std::ops::Range;

/// Characters that end the name of a street or of a district.
const STREETS: &str = "路街道巷弄里村段条";
const DISTRICTS: &str = "都道府県市区町村";
/// Characters at which an address cannot start and where it must end.
const BOUNDARIES: &str = "在于於住址是为為はがにで、，。：:；（）「」『』,. \u{3000}\n\t";
/// Characters that may follow a name.
const AFTER_NAME: &str = "在于於住的是はがの、，。：:（(様氏先女小君,. \u{3000}\n\t";
#[rustfmt::skip]
const SURNAMES: &str = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖蕭田董袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦傅方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严戴莫孔向汤";
#[rustfmt::skip]
const JAPANESE_SURNAMES: &[&str] = &[
    "佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "渡邉", "山本", "中村", "小林", "加藤", "吉田", "山田", "佐々木", "山口", "松本", "井上", "木村", "清水",
    "山崎", "斎藤", "斉藤", "池田", "橋本", "阿部", "石川", "山下", "中島", "石井", "小川", "前田", "岡田", "長谷川", "藤田", "後藤", "近藤", "村上", "遠藤",
    "青木", "坂本", "福田", "太田", "西村", "藤井", "金子", "岡本", "藤原", "中野", "三浦", "原田", "中川", "松田", "竹内", "小野", "田村", "中山", "和田",
    "石田", "森田", "上田", "内田", "柴田", "酒井", "宮崎", "横山", "高木", "安藤", "宮本", "大野", "小島", "工藤", "谷口", "今井", "高田", "増田", "丸山",
    "杉山", "村田", "大塚", "新井",
];
const ADDRESS_CHARS_MAX: usize = 28;
const NAME_CHARS_MAX: usize = 4;
/// The maximum distance between an address and its person.
const PERSON_BYTES_MAX: usize = 120;

/// A street address, or the person named before one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HanEntity {
    pub(super) range: Range<usize>,
    pub(super) is_person: bool,
}

/// The street addresses in a text, and the people named before them.
pub(super) fn addresses(text: &str) -> Vec<HanEntity> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut last_end = 0;
    while let Some(skipped) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + skipped;
        let end = start + number(&bytes[start..]);
        at = end;
        let Some(address) = address(text, start, end).filter(|address| address.start >= last_end) else { continue };
        last_end = address.end;
        found.extend(person(text, &address).map(|range| HanEntity { range, is_person: true }));
        found.push(HanEntity { range: address, is_person: false });
    }
    found.sort_by_key(|found| found.range.start);
    found.dedup();
    found
}

/// The length of a run of digits, including hyphens between them.
fn number(bytes: &[u8]) -> usize {
    let length = bytes.iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
    bytes[..length].iter().rposition(u8::is_ascii_digit).map_or(length, |last| last + 1)
}

fn address(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let before = text[..start].chars().next_back()?;
    let name = name_before(text, start);
    let after = &text[end..];
    let in_china = STREETS.contains(before) && after.starts_with(['号', '號']);
    let marks = ["丁目", "番地", "番"].iter().find(|mark| after.starts_with(**mark));
    let numbered = marks.is_some() || text[start..end].contains('-');
    let in_japan = numbered && name.chars().count() > 2 && name.chars().any(|sign| DISTRICTS.contains(sign));
    let closed = match (in_china, marks) {
        (true, _) => '号'.len_utf8(),
        (_, Some(mark)) => mark.len(),
        _ => 0,
    };
    (in_china || in_japan).then(|| start - name.len()..end + closed)
}

/// The characters before a number that belong to its street.
fn name_before(text: &str, start: usize) -> &str {
    let signs = text[..start].char_indices().rev().take(ADDRESS_CHARS_MAX);
    let from = signs
        .take_while(|(_, sign)| !sign.is_ascii() && !BOUNDARIES.contains(*sign))
        .last()
        .map_or(start, |(at, _)| at);
    &text[from..start]
}

fn person(text: &str, address: &Range<usize>) -> Option<Range<usize>> {
    let from = crate::context::behind(text, address.start, PERSON_BYTES_MAX);
    let base = address.start - from.len();
    let mut opens = base == 0;
    for (at, sign) in from.char_indices() {
        if opens && let Some(length) = name(&from[at..]) {
            return Some(base + at..base + at + length);
        }
        opens = !sign.is_alphanumeric() || BOUNDARIES.contains(sign);
    }
    None
}

/// The length of the name at the start of the text.
fn name(text: &str) -> Option<usize> {
    let surname = JAPANESE_SURNAMES
        .iter()
        .find(|surname| text.starts_with(**surname))
        .map(|surname| surname.len())
        .or_else(|| text.chars().next().filter(|first| SURNAMES.contains(*first)).map(char::len_utf8))?;
    let rest = &text[surname..];
    let spaced = usize::from(rest.starts_with(' '));
    let rest = rest.find("さん").map_or(rest, |title| &rest[..title]);
    let given: usize = rest[spaced..]
        .chars()
        .take(NAME_CHARS_MAX)
        .take_while(|sign| !sign.is_ascii() && sign.is_alphabetic() && !AFTER_NAME.contains(*sign))
        .map(char::len_utf8)
        .sum();
    let count = rest[spaced..spaced + given].chars().count();
    let ends = rest[spaced + given..].chars().next().is_none_or(|next| AFTER_NAME.contains(next));
    ((1..=3).contains(&count) && ends).then_some(surname + spaced + given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_its_person_are_found_in_text_without_spaces() {
        for (text, person, address) in [
            ("李明住在上海市静安区南京路20号。", "李明", "上海市静安区南京路20号"),
            ("收件人：陈晓红，广州市天河区体育街7号", "陈晓红", "广州市天河区体育街7号"),
            ("鈴木一郎、大阪府大阪市北区梅田3-1-3", "鈴木一郎", "大阪府大阪市北区梅田3-1-3"),
            ("田中さくらは京都市中京区4丁目に住む", "田中さくら", "京都市中京区4丁目"),
        ] {
            let found: Vec<(&str, bool)> =
                addresses(text).iter().map(|found| (&text[found.range.clone()], found.is_person)).collect();
            assert_eq!(found, [(person, true), (address, false)], "{text}");
        }
    }

    #[test]
    fn other_numbers_are_not_addresses() {
        for text in [
            "东京是日本的首都。",
            "第3号文件",
            "2024年5月1日",
            "10号线",
            "東京都の人口は1400万人",
            "電話は090-1234-5678です。",
            "1-2-3",
        ] {
            assert_eq!(addresses(text), [], "{text}");
        }
    }
}
