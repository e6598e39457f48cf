//! Advice on which network to choose.

use super::{
    front::front,
    ranges::{distinct, is_beaten, ranges, winners},
    spread::agreement,
    weighed::Weighed,
};
use crate::{
    comparison::{Choice, Differ, Row, ranked},
    format::{self, counted, money, whole_percent},
};

/// Percentage by which a cheaper network may be slower and still be recommended.
pub(super) const TOLERANCE_PERCENT: u64 = 5;

/// Most sentences on ranges; the page and JSON have all of them.
const RANGES_MAX: usize = 4;

/// Returns one paragraph of advice. Where nothing but the number of ranks varies besides the choices:
/// with the largest number of ranks a network on the front of run time and cost, the cheapest
/// that is at most 5 % slower than the fastest, and why. Where other circumstances vary: how often each
/// choice wins. Then over which range the winner stays the winner.
///
/// Of several network models the last one of the comparison counts; further sentences say whether
/// the others agree with it. `unit` is that of the costs; `weak` says that the work grows with the ranks.
pub fn advice(rows: &[Row], unit: &str, weak: bool) -> String {
    let last = rows.last().map(|row| row.network.clone());
    let of_last: Vec<Row> =
        rows.iter().filter(|row| Some(&row.network) == last.as_ref()).cloned().collect();
    if of_last.len() == rows.len() {
        return of_one_model(rows, unit, weak);
    }
    let model = last.unwrap_or_default();
    let agreed = match cases(&of_last).len() {
        0 | 1 => agreement(rows),
        _ => agreement_by_case(rows),
    };
    format!("Under {model}: {}{agreed}", of_one_model(&of_last, unit, weak))
}

/// Returns the different circumstances apart from the number of ranks, in the order of the rows.
fn cases(rows: &[Row]) -> Vec<Vec<(&str, &str)>> {
    let all: Vec<&Row> = rows.iter().collect();
    distinct(&all, Row::case)
}

/// Returns the advice of one network model.
fn of_one_model(rows: &[Row], unit: &str, weak: bool) -> String {
    let Some(most) = rows.iter().map(|row| row.ranks).max() else {
        return "There is nothing to choose from: no configuration was run.".to_owned();
    };
    let several = cases(rows).len() > 1;
    let mut text = match several {
        true => by_case(rows, unit),
        false => with_most_ranks(rows, most, unit, weak),
    };
    let ranges = ranges(rows);
    for range in ranges.iter().take(RANGES_MAX) {
        text.push_str(&format!(" {}", range.sentence()));
    }
    if ranges.len() > RANGES_MAX {
        let more = counted((ranges.len() - RANGES_MAX) as u64, "more range");
        text.push_str(&format!(" ({more} in --json.)"));
    }
    if !several && ranges.is_empty() && rows.len() > 1 && rows.iter().any(Row::completed) {
        text.push_str(
            " This holds for one program size and one number of ranks: --ranks-list and --axis show \
             over which range it does.",
        );
    }
    text
}

/// Returns how often each choice wins, and which one to take if that is not the cheapest.
fn by_case(rows: &[Row], unit: &str) -> String {
    let all: Vec<&Row> = rows.iter().collect();
    let differ = Differ { network: false, ..Differ::of(&all) };
    let points = distinct(&all, Row::conditions);
    let choices = distinct(&all, |row| differ.choice(row));
    if choices.len() < 2 {
        let points = counted(points.len() as u64, "case");
        return format!("There is nothing to choose between in these {points}.");
    }
    let cases: Vec<Vec<&Row>> = points
        .iter()
        .map(|point| all.iter().copied().filter(|row| row.conditions() == *point).collect())
        .collect();
    let fastest: Vec<Vec<Choice>> = cases.iter().map(|here| winners(here, differ)).collect();
    let wins = |choice: &Choice| fastest.iter().filter(|winners| winners.contains(choice)).count();
    let counts = choices.iter().map(|choice| (wins(choice), choice));
    let mut counts: Vec<(usize, &Choice)> = counts.filter(|(wins, _)| *wins > 0).collect();
    counts.sort_by_key(|(wins, _)| std::cmp::Reverse(*wins));
    let Some((most, first)) = counts.first() else {
        return match rows.iter().any(Row::completed) {
            true => "There is nothing to choose from: no network that completed is for sale.",
            false => "There is nothing to choose from: no run completed.",
        }
        .to_owned();
    };
    let weighed = Weighed::of(&cases, differ, unit);
    let is_best = *most == points.len();
    let winner = is_best.then_some(*first);
    let choice = weighed.as_ref().and_then(|weighed| weighed.choice(winner, points.len()));
    let beaten = cases.iter().any(|here| is_beaten(here, differ));
    let mut text = wins_of(&counts, points.len(), beaten, choice.is_some());
    if let Some(weighed) = &weighed {
        let listed = counts.iter().take(if is_best { 1 } else { usize::MAX });
        let listed: Vec<&Choice> = listed.map(|(_, choice)| *choice).collect();
        let chosen = choice.as_ref().map(|(choice, _)| choice);
        text.push_str(&weighed.costs(&listed, chosen));
    }
    match choice {
        Some((_, sentence)) => format!("{sentence} {text}"),
        None => text,
    }
}

/// Returns a sentence on how often each choice is the fastest of `cases`; `counts` begins with the most. Something that is not for
/// sale is faster somewhere if `beaten`, and another sentence says what to choose if it is `chosen` by its cost.
fn wins_of(counts: &[(usize, &Choice)], cases: usize, beaten: bool, chosen: bool) -> String {
    let of_sold = if beaten { "of what is for sale, " } else { "" };
    match counts.first() {
        Some((wins, name)) if *wins == cases && chosen => {
            format!("By run time alone, {of_sold}{name} is fastest, or as fast, in all of them.")
        }
        Some((wins, name)) if *wins == cases => {
            format!("Choose {name}: {of_sold}it is fastest, or as fast, in all {cases} cases.")
        }
        Some(_) | None => {
            let parts: Vec<String> =
                counts.iter().map(|(wins, name)| format!("{name} in {wins}")).collect();
            let (parts, fastest) = (parts.join(", "), "fastest, or as fast, are");
            match chosen {
                true => format!("By run time alone, {of_sold}{fastest} {parts}."),
                false => {
                    format!("No choice is best in all {cases} cases; {of_sold}{fastest} {parts}.")
                }
            }
        }
    }
}

/// Returns a sentence on the number of circumstances under which all models have a winner in common.
fn agreement_by_case(rows: &[Row]) -> String {
    let all: Vec<&Row> = rows.iter().collect();
    let differ = Differ { network: false, ..Differ::of(&all) };
    if distinct(&all, |row| differ.choice(row)).len() < 2 {
        return String::new();
    }
    let models = distinct(&all, |row| row.network.as_str());
    let points = distinct(&all, Row::conditions);
    let agree = |point: &&Vec<(&str, String)>| {
        let of = |model: &str| {
            let here = all
                .iter()
                .copied()
                .filter(|row| row.conditions() == **point && row.network == model);
            winners(&here.collect::<Vec<&Row>>(), differ)
        };
        let mut names = of(models[0]);
        for model in &models[1..] {
            let others = of(model);
            names.retain(|name| others.contains(name));
        }
        !names.is_empty()
    };
    let count = points.iter().filter(agree).count();
    let models = models.join(", ");
    match count == points.len() {
        true => format!(" All models ({models}) agree on the winner in all {count} cases."),
        false => format!(
            " The models ({models}) agree on the winner in {count} of {} cases: elsewhere the choice \
             depends on what they leave out of each other.",
            points.len()
        ),
    }
}

/// Returns the advice for the largest number of ranks.
fn with_most_ranks(rows: &[Row], most: u32, unit: &str, weak: bool) -> String {
    let all = ranked(rows);
    let order: Vec<&Row> =
        all.iter().filter(|row| row.ranks == most && row.completed()).copied().collect();
    let count = counted(u64::from(most), "rank");
    let Some(fastest) = order.first() else {
        return format!("There is nothing to choose from: no run with {count} completed.");
    };
    let differ = Differ::of(&all);
    let front = front(&order);
    let choices = distinct(&order, |row| differ.choice(row));
    let Some(quickest) = front.first() else {
        if !differ.topology && choices.len() > 1 {
            return on_one_network(&order, &all, differ, weak);
        }
        return format!(
            "With {count} nothing can be recommended: {} is fastest ({}), but its parts are not for \
             sale ({}).",
            differ.name(fastest),
            fastest.makespan,
            why_not(fastest),
        );
    };
    let allowed = quickest.makespan.as_ps() / 100 * (100 + TOLERANCE_PERCENT);
    // The front is ordered from fast to slow and from expensive to cheap.
    let within = |row: &&&Row| row.makespan == quickest.makespan || row.makespan.as_ps() <= allowed;
    let chosen = front.iter().copied().rfind(|row| within(&row)).unwrap_or(quickest);
    let mut text = format!(
        "With {count} choose {}: it runs in {} and costs {}, with a diameter of {}.",
        differ.name(chosen),
        chosen.makespan,
        cost(chosen, unit),
        counted(u64::from(chosen.structure.diameter), "hop"),
    );
    text.push_str(&why(chosen, &front, &order, (differ, unit)));
    match &chosen.hottest_link {
        Some((name, busy)) if *busy >= 0.05 => {
            text.push_str(&format!(
                " Its hottest link, {name}, is busy {} of the run.",
                format::percent(*busy)
            ));
        }
        Some(_) => {}
        None => text.push_str(" No link was busy, or the network model has none that are shared."),
    }
    if !fastest.cost.for_sale {
        let gain = percent(1.0 - ratio(fastest, chosen));
        let (name, why_not) = (differ.name(fastest), why_not(fastest));
        let how = gain.map_or("is as fast".to_owned(), |gain| format!("would be {gain} faster"));
        text.push_str(&format!(" {name} {how} ({}), but {why_not}.", fastest.makespan));
    }
    text.push_str(&scaling(chosen, &all, weak));
    text
}

/// Returns the advice on what else than the network is chosen, on a network that nobody sells. `order` has the
/// rows with the largest number of ranks from fast to slow.
fn on_one_network(order: &[&Row], all: &[&Row], differ: Differ, weak: bool) -> String {
    let chosen = order[0];
    let count = counted(u64::from(chosen.ranks), "rank");
    let name = differ.choice(chosen);
    let mut text = format!("With {count} choose {name}: it runs in {}.", chosen.makespan);
    if let Some(next) = order.iter().find(|row| differ.choice(row) != name) {
        let slower = percent(ratio(next, chosen) - 1.0);
        let time = slower.map_or("takes as long".to_owned(), |by| format!("is {by} slower"));
        text.push_str(&format!(" {} {time} ({}).", differ.choice(next), next.makespan));
    }
    text.push_str(&format!(
        " All ran on {}, which is not weighed: {}.",
        chosen.topology,
        why_not(chosen)
    ));
    text.push_str(&scaling(chosen, all, weak));
    text
}

/// Returns why a row of the front was chosen: what the faster ones of the front cost in addition, and
/// what the next cheaper one would lose; without either, how the fastest other configuration does.
fn why(chosen: &Row, front: &[&Row], order: &[&Row], (differ, unit): (Differ, &str)) -> String {
    let place = front.iter().position(|row| std::ptr::eq(*row, chosen)).unwrap_or(0);
    let mut text = String::new();
    if place > 0 {
        let fastest = front[0];
        let gain = percent(1.0 - ratio(fastest, chosen)).unwrap_or("less than 0.1 %".to_owned());
        text.push_str(&format!(
            " {} would be {gain} faster ({}) but costs {}: {} more.",
            differ.name(fastest),
            fastest.makespan,
            cost(fastest, unit),
            more(fastest, chosen),
        ));
    }
    if let Some(cheaper) = front.get(place + 1) {
        let loss = percent(ratio(cheaper, chosen) - 1.0).unwrap_or("less than 0.1 %".to_owned());
        text.push_str(&format!(
            " {} costs less ({}) and is {loss} slower ({}).",
            differ.name(cheaper),
            cost(cheaper, unit),
            cheaper.makespan,
        ));
    }
    let next = order.iter().find(|row| !std::ptr::eq(**row, chosen) && row.is_purchasable());
    match next {
        None => text.push_str(" Nothing else that is for sale was run with as many."),
        Some(next) if front.len() == 1 => {
            let slower = percent(ratio(next, chosen) - 1.0);
            let time = slower.map_or("takes as long".to_owned(), |by| format!("is {by} slower"));
            let equal = (next.cost.amount() - chosen.cost.amount()).abs() < 1e-9;
            let cost = if equal { "as much".to_owned() } else { cost(next, unit) };
            let (name, took) = (differ.name(next), next.makespan);
            text.push_str(&format!(
                " Nothing is faster or cheaper: {name} {time} ({took}) and costs {cost}."
            ));
        }
        Some(_) => {}
    }
    text
}

/// Returns why the network of a row cannot be bought.
fn why_not(row: &Row) -> String {
    match row.cost.is_priced {
        true => {
            let (ports, switches) = row.bill.switches.iter().next().unwrap_or((&0, &0));
            let ports = counted((*ports).into(), "port");
            match switches {
                1 => format!("one switch of {ports} is a yardstick and nothing to buy"),
                _ => {
                    format!("switches of {ports} for all nodes are a yardstick and nothing to buy")
                }
            }
        }
        false => "no switch or adapter on the price list has as many ports".to_owned(),
    }
}

/// Returns a sentence if fewer ranks of the same configuration are about as fast; of work that grows with
/// the ranks, a sentence on what that costs.
fn scaling(chosen: &Row, all: &[&Row], weak: bool) -> String {
    let same = |row: &&&Row| row.line == chosen.line && row.completed();
    // The rows are sorted from fast to slow, so the first match is the best number of ranks.
    let Some(best) = all.iter().find(same).filter(|best| best.ranks < chosen.ranks) else {
        return String::new();
    };
    let judgement = match weak {
        true => format!("the weak efficiency is {}", whole_percent(100.0 * chosen.efficiency)),
        false => "so many ranks pay only if the work grows with them (--weak)".to_owned(),
    };
    format!(
        " The run time of {} grows from {} with {} to {} with {}: {judgement}.",
        chosen.family,
        best.makespan,
        counted(u64::from(best.ranks), "rank"),
        chosen.makespan,
        counted(u64::from(chosen.ranks), "rank"),
    )
}

/// Returns the cost of a row and the parts behind it.
pub(crate) fn cost(row: &Row, unit: &str) -> String {
    let mut parts = vec![counted(row.structure.links, "link")];
    if row.structure.switches > 0 {
        parts.push(counted(row.structure.switches.into(), "switch"));
    }
    parts.push(counted(row.bill.ports(), "port"));
    format!("{} ({})", amount(row, unit), parts.join(", "))
}

/// Returns the cost of a row with its unit.
pub(crate) fn amount(row: &Row, unit: &str) -> String {
    match (row.cost.price > 0.0, row.cost.watts > 0.0) {
        (false, true) => format!("{} W", money(row.cost.watts)),
        (true, true) => format!("{} {unit}, {} W", money(row.cost.price), money(row.cost.watts)),
        _ => format!("{} {unit}", money(row.cost.price)),
    }
}

fn ratio(a: &Row, b: &Row) -> f64 {
    a.makespan.as_ps() as f64 / (b.makespan.as_ps() as f64).max(1.0)
}

/// Returns a share in percent; `None` below 0.05 %, which is too little to decide anything.
pub(super) fn percent(share: f64) -> Option<String> {
    (share >= 0.0005).then(|| format::percent(100.0 * share))
}

/// Returns by how much one row costs more than another.
fn more(dear: &Row, cheap: &Row) -> String {
    let base = cheap.cost.amount();
    match base > 0.0 {
        true => whole_percent(100.0 * (dear.cost.amount() / base - 1.0)),
        false => "all of it".to_owned(),
    }
}
