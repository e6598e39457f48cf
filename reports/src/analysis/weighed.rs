//! Run time against cost where circumstances vary: what a choice costs, and how slow it is in its worst case.

use super::{
    advice::{TOLERANCE_PERCENT, amount, cost, percent},
    ranges::distinct,
};
use crate::{
    comparison::{Choice, Differ, Row},
    format::{counted, whole_percent},
};

/// Most choices whose costs are listed.
const LISTED_MAX: usize = 4;

/// A choice that completes in all cases and can be bought.
struct Offer<'a> {
    choice: Choice<'a>,
    /// Its row in the first case with the largest number of ranks.
    row: &'a Row,
    /// Sum of its costs in all cases.
    total: f64,
    /// Largest ratio of its run time to that of the fastest in the same case.
    worst: f64,
}

/// The choices that can be bought, of different costs.
pub(super) struct Weighed<'a> {
    offers: Vec<Offer<'a>>,
    /// Words after a cost, if it depends on the number of ranks.
    ranks: String,
    unit: &'a str,
}

impl<'a> Weighed<'a> {
    /// Weighs the choices in `cases`, each of which has the rows of equal circumstances. `None` if fewer than two
    /// choices can be bought and complete in every case, or all of them cost the same.
    pub(super) fn of(cases: &[Vec<&'a Row>], differ: Differ, unit: &'a str) -> Option<Self> {
        let sold = |here: &[&'a Row]| -> Vec<&'a Row> {
            here.iter().copied().filter(|row| row.is_purchasable()).collect()
        };
        let cases: Vec<Vec<&Row>> = cases.iter().map(|here| sold(here)).collect();
        let all: Vec<&Row> = cases.iter().flatten().copied().collect();
        let choices = distinct(&all, |row| differ.choice(row));
        let offers = choices.into_iter().filter_map(|choice| Offer::of(choice, &cases, differ));
        let offers: Vec<Offer> = offers.collect();
        let costs = || offers.iter().map(|offer| offer.total);
        if costs().fold(0.0, f64::max) - costs().fold(f64::INFINITY, f64::min) < 1e-9 {
            return None;
        }
        let most = all.iter().map(|row| row.ranks).max()?;
        let ranks = match all.iter().all(|row| row.ranks == most) {
            true => String::new(),
            false => format!(" with {}", counted(u64::from(most), "rank")),
        };
        Some(Self { offers, ranks, unit })
    }

    /// Returns the cheapest of the offers that `suits`.
    ///
    /// Ties: the one that is less slow in its worst case, then the first.
    fn cheapest(&self, suits: impl Fn(&Offer) -> bool) -> Option<&Offer<'a>> {
        let suiting = self.offers.iter().filter(|offer| suits(offer));
        suiting.min_by(|one, other| {
            one.total.total_cmp(&other.total).then(one.worst.total_cmp(&other.worst))
        })
    }

    /// Returns the cheapest choice that is at most 5 % slower than the fastest in every case, with the advice to
    /// take it; `None` if `fastest`, which wins everywhere, costs no more.
    pub(super) fn choice(
        &self,
        fastest: Option<&Choice>,
        count: usize,
    ) -> Option<(Choice<'a>, String)> {
        let most = 1.0 + TOLERANCE_PERCENT as f64 / 100.0;
        let chosen = self.cheapest(|offer| offer.worst <= most)?;
        let winner = self.offers.iter().find(|offer| Some(&offer.choice) == fastest);
        if winner.is_some_and(|winner| winner.total <= chosen.total) {
            return None;
        }
        let (choice, ranks) = (&chosen.choice, &self.ranks);
        let sentence = format!(
            "Choose {choice}: it costs {}{ranks} and is {} in all {count} cases.",
            cost(chosen.row, self.unit),
            slower(chosen.worst, "at most"),
        );
        Some((choice.clone(), sentence))
    }

    /// Returns what the choices cost that are fastest somewhere, and how slow the cheapest one is, without the one
    /// that is `chosen`.
    pub(super) fn costs(&self, winners: &[&Choice], chosen: Option<&Choice>) -> String {
        let of = |choice: &&Choice| self.offers.iter().find(|offer| offer.choice == **choice);
        let mut listed: Vec<&Offer> = winners.iter().filter_map(of).collect();
        listed.truncate(LISTED_MAX);
        if let Some(cheapest) = self.cheapest(|_| true)
            && !listed.iter().any(|offer| offer.choice == cheapest.choice)
        {
            listed.push(cheapest);
        }
        listed.retain(|offer| Some(&offer.choice) != chosen);
        let dearest = listed.first().map_or(0.0, |offer| offer.total);
        let part = |offer: &&Offer| {
            let less = (dearest - offer.total) / dearest;
            let less = (less > 0.005).then(|| format!("{} less", whole_percent(100.0 * less)));
            let slow = percent(offer.worst - 1.0)
                .map(|_| format!("and is {}", slower(offer.worst, "up to")));
            let more = match (less, slow) {
                (Some(less), Some(slow)) => format!(", {less}, {slow}"),
                (Some(less), None) => format!(", {less}"),
                (None, Some(slow)) => format!(" {slow}"),
                (None, None) => String::new(),
            };
            format!("{} costs {}{}{more}", offer.choice, amount(offer.row, self.unit), self.ranks)
        };
        let parts: Vec<String> = listed.iter().map(part).collect();
        if parts.is_empty() { String::new() } else { format!(" {}.", parts.join("; ")) }
    }
}

impl<'a> Offer<'a> {
    /// Returns a choice, unless it cannot be had in some case.
    fn of(choice: Choice<'a>, cases: &[Vec<&'a Row>], differ: Differ) -> Option<Self> {
        let rows: Option<Vec<&Row>> = cases
            .iter()
            .map(|here| here.iter().copied().find(|row| differ.choice(row) == choice))
            .collect();
        let rows = rows?;
        let ratio = |(row, here): (&&Row, &Vec<&Row>)| {
            let least = here.iter().map(|row| row.makespan.as_ps()).min().unwrap_or(0);
            row.makespan.as_ps() as f64 / (least as f64).max(1.0)
        };
        let worst = rows.iter().zip(cases).map(ratio).fold(1.0, f64::max);
        let total = rows.iter().map(|row| row.cost.amount()).sum();
        let most = rows.iter().map(|row| row.ranks).max()?;
        let row = rows.into_iter().find(|row| row.ranks == most)?;
        Some(Self { choice, row, total, worst })
    }
}

/// Returns how much slower than the fastest something is in its worst case.
fn slower(worst: f64, most: &str) -> String {
    percent(worst - 1.0).map_or_else(
        || "as fast as the fastest".to_owned(),
        |by| format!("{most} {by} slower than the fastest"),
    )
}
