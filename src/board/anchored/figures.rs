//! Every figure of an anchored board: the columns of its CSV, the keys of its
//! JSON.

use crate::board::anchored::shown::{end, kind, points};
use crate::board::anchored::{AnchoredBoard, AnchoredRow, Sensitivity};
use crate::board::page::ratio;
use crate::board::{Table, Wdl};
use crate::measure::anchored::{Joint, Level, NoFit, Printed, Reach, SystemFit};
use crate::measure::{Interval, NotFinite, decimal};
use crate::projection::{Grades, Summand, Tally};

/// Columns with their values, of one row.
struct Figures(Vec<(&'static str, String)>);

/// Returns the board's whole table. What is unknown, or does not exist, is
/// empty: a bound has no `rating`, an estimate no `bound`.
///
/// # Errors
///
/// When a rating is no finite number.
pub fn anchored_figures(board: &AnchoredBoard) -> Result<Table, NotFinite> {
    let rows = board.rows.iter().map(|row| figures(board, row));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let columns = rows.first().map_or_else(Vec::new, |Figures(row)| {
        row.iter().map(|(column, _)| *column).collect()
    });
    let mut table = Table::new(columns);
    for Figures(row) in rows {
        table.push(row.into_iter().map(|(_, cell)| cell).collect());
    }
    Ok(table)
}

fn figures(board: &AnchoredBoard, row: &AnchoredRow) -> Result<Figures, NotFinite> {
    let mut figures = Figures(Vec::new());
    figures.push("system", &row.row.system().name);
    figures.push("system_id", &row.row.system().id);
    figures.rating(row)?;
    figures.sample(board, row);
    figures.endpoints(row)?;
    figures.readings(row)?;
    figures.conduct(row);
    figures.grades(row.grades.as_ref())?;
    figures.resources(row);
    Ok(figures)
}

impl Figures {
    fn push(&mut self, column: &'static str, value: &impl ToString) {
        self.0.push((column, value.to_string()));
    }

    fn known(&mut self, column: &'static str, value: Option<impl ToString>) {
        self.0.push((
            column,
            value.map_or_else(String::new, |one| one.to_string()),
        ));
    }

    fn tally<T: Summand + ToString>(&mut self, columns: [&'static str; 2], tally: &Tally<T>) {
        self.known(columns[0], tally.known());
        self.push(columns[1], &format!("{}/{}", tally.reported, tally.base));
    }

    fn level(
        &mut self,
        columns: [&'static str; 2],
        level: Option<&Result<Level, NoFit>>,
    ) -> Result<(), NotFinite> {
        let word = level.map(|level| level.as_ref().map_or("no_fit", |level| kind(*level)));
        self.known(columns[0], word);
        let level = level.and_then(|level| level.as_ref().ok());
        self.known(columns[1], level.map(|level| points(*level)).transpose()?);
        Ok(())
    }

    fn reach(&mut self, columns: [&'static str; 2], reach: Option<Reach>) -> Result<(), NotFinite> {
        let [low, high] = [reach.map(|one| one.low), reach.map(|one| one.high)];
        self.known(columns[0], low.map(end).transpose()?);
        self.known(columns[1], high.map(end).transpose()?);
        Ok(())
    }

    fn interval(
        &mut self,
        columns: [&'static str; 2],
        interval: Option<Interval>,
    ) -> Result<(), NotFinite> {
        let [low, high] = [interval.map(|one| one.low), interval.map(|one| one.high)];
        self.known(columns[0], low.map(|low| decimal(low, 6)).transpose()?);
        self.known(columns[1], high.map(|high| decimal(high, 6)).transpose()?);
        Ok(())
    }

    fn sensitivity(
        &mut self,
        columns: [&'static str; 3],
        found: Option<&Sensitivity>,
    ) -> Result<(), NotFinite> {
        self.known(columns[0], found.map(|found| found.parts));
        let range = found.and_then(|found| found.range);
        self.reach([columns[1], columns[2]], range)
    }

    fn rating(&mut self, row: &AnchoredRow) -> Result<(), NotFinite> {
        let complete = &row.row.estimate().complete;
        let fit = complete.as_ref().ok();
        let joint: Option<&Joint> = fit.and_then(|fit| fit.joint.finite());
        let level = fit.map(SystemFit::level);
        let is_estimate = joint.is_some();
        self.push("rating_kind", &level.map_or("no_fit", kind));
        let digits = level.map(points).transpose()?;
        self.known("rating", digits.clone().filter(|_| is_estimate));
        self.known("bound", digits.filter(|_| !is_estimate));
        self.known("no_fit", complete.as_ref().err());
        let printed = fit.and_then(|fit| fit.printed);
        let reach = printed.map(Printed::reach);
        self.reach(["interval_low", "interval_high"], reach)?;
        self.known(
            "interval_basis",
            printed.map(|printed| match printed {
                Printed::Bootstrap(_) => "cluster_bootstrap",
                Printed::Profile(_) => "profile",
            }),
        );
        let profile = joint.map(|joint| joint.profile);
        self.interval(["profile_low", "profile_high"], profile)?;
        let [draws, color] = [
            joint.map(|one| one.draw_rate),
            joint.map(|one| one.color_effect),
        ];
        self.known("draw_rate", draws.map(|one| decimal(one, 6)).transpose()?);
        self.known("draw_rate_basis", joint.map(|one| one.draw_basis.as_str()));
        self.known(
            "color_effect",
            color.map(|one| decimal(one, 6)).transpose()?,
        );
        self.known(
            "color_effect_basis",
            joint.map(|one| one.color_basis.as_str()),
        );
        let score = fit.and_then(|fit| fit.performance.finite());
        let score_rating = score.map(|score| decimal(score.rating, 6)).transpose()?;
        self.known("score_rating", score_rating);
        self.interval(
            ["score_profile_low", "score_profile_high"],
            score.map(|score| score.profile),
        )?;
        let error = fit.and_then(|fit| fit.cluster_error);
        self.known(
            "cluster_error",
            error.map(|one| decimal(one, 6)).transpose()?,
        );
        self.known("promotion", row.promotion.as_ref());
        Ok(())
    }

    fn sample(&mut self, board: &AnchoredBoard, row: &AnchoredRow) {
        let (sample, coverage) = (row.row.sample(), row.row.coverage());
        let Wdl {
            wins,
            draws,
            losses,
        } = sample.wdl();
        self.push("games", &sample.games());
        self.push("wins", &wins);
        self.push("draws", &draws);
        self.push("losses", &losses);
        self.push("points", &sample.points());
        self.push("white_games", &coverage.white);
        self.push("black_games", &coverage.black);
        self.push("openings", &coverage.openings);
        self.known("whole_matches", row.whole_matches);
        self.known("half_matches", row.half_matches);
        let each = board.anchors.iter().zip(&row.anchors);
        let each: Vec<_> = each
            .map(|(anchor, score)| format!("{} {}", anchor.name, score.all()))
            .collect();
        self.push("per_anchor", &each.join("; "));
        self.push("assistance", &row.row.system().assistance);
        self.push("evidence_status", &row.row.evidence_status().as_str());
    }

    fn endpoints(&mut self, row: &AnchoredRow) -> Result<(), NotFinite> {
        let without = row.row.estimate().without_forfeits.as_ref();
        let level = without.map(|fit| fit.as_ref().map(SystemFit::level).map_err(|no| *no));
        let columns = ["without_forfeits_kind", "without_forfeits"];
        self.level(columns, level.as_ref())?;
        let fit = without.and_then(|fit| fit.as_ref().ok());
        let reach = fit.and_then(|fit| fit.printed).map(Printed::reach);
        self.reach(["without_forfeits_low", "without_forfeits_high"], reach)?;
        self.push(
            "without_forfeits_games",
            &fit.map_or(0, |fit| fit.total.games()),
        );
        self.push("forfeits", &row.row.conduct().forfeits);
        self.push("anchor_forfeits", &row.anchor_forfeits);
        self.push("provider_failures", &row.provider_failures);
        self.push("aborted_games", &row.row.accounting().aborted());
        self.push("cells_replaced", &row.replaced);
        self.push("cells_open", &row.open);
        self.push("excluded", &row.excluded);
        Ok(())
    }

    fn readings(&mut self, row: &AnchoredRow) -> Result<(), NotFinite> {
        let estimate = row.row.estimate();
        self.push("censored", &row.row.conduct().censored);
        self.push("adjudicated", &row.adjudicated);
        self.push("ply_limited", &row.ply_limited);
        self.push("censored_measured", &estimate.measured);
        let columns = ["last_measured_kind", "last_measured"];
        self.level(columns, estimate.last_measured.as_ref())?;
        self.push("censored_in_tables", &estimate.in_tables);
        let columns = ["by_tables_kind", "by_tables"];
        self.level(columns, estimate.by_tables.as_ref())?;
        let columns = ["uncensored_kind", "uncensored"];
        self.level(columns, estimate.uncensored.as_ref())?;
        self.push("uncensored_games", &estimate.uncensored_games);
        let columns = ["days", "days_low", "days_high"];
        self.sensitivity(columns, Some(&estimate.days))?;
        let columns = ["routes", "routes_low", "routes_high"];
        self.sensitivity(columns, estimate.routes.as_ref())
    }

    fn conduct(&mut self, row: &AnchoredRow) {
        let conduct = row.row.conduct();
        self.push("rejected", &conduct.rejected);
        self.push("judged", &conduct.judged);
        let percent = ratio(conduct.rejected, conduct.judged, 100, 4);
        self.known("rejected_percent", percent);
    }

    fn grades(&mut self, grades: Option<&Grades>) -> Result<(), NotFinite> {
        let number = |value: Option<f64>| value.map(|value| decimal(value, 6)).transpose();
        self.known("moves", grades.map(|one| one.moves));
        self.known("graded", grades.map(|one| one.graded));
        let graded = grades.filter(|one| one.graded != 0);
        self.known("open_moves", graded.map(|one| one.open));
        self.known(
            "accuracy_percent",
            number(graded.and_then(Grades::accuracy))?,
        );
        for (place, column) in ["inaccuracies", "mistakes", "blunders"]
            .into_iter()
            .enumerate()
        {
            let count = graded.and_then(|one| one.judged.get(place));
            self.known(column, count);
        }
        self.known("best_moves", graded.map(|one| one.best));
        self.known("top_three", graded.map(|one| one.top));
        self.known("top_three_of", graded.map(|one| one.top_known));
        self.known("wdl_regret", number(graded.and_then(Grades::regret))?);
        self.known("wdl_regret_of", graded.map(|one| one.regret_known));
        Ok(())
    }

    fn resources(&mut self, row: &AnchoredRow) {
        let accounting = row.row.accounting();
        let resources = accounting.resources();
        self.push("calls_answered", &resources.answered);
        self.push("calls_failed", &resources.failures());
        self.tally(["list_usd", "list_usd_of"], &row.list_usd);
        let is_billed = row.row.system().is_billed;
        self.push("cost_basis", &if is_billed { "list_price" } else { "n/a" });
        let columns = ["prompt_tokens", "prompt_tokens_of"];
        self.tally(columns, &resources.prompt_tokens);
        let columns = ["completion_tokens", "completion_tokens_of"];
        self.tally(columns, &resources.completion_tokens);
        self.tally(["time_ms", "time_ms_of"], &resources.time_ms);
        self.tally(["nodes", "nodes_of"], &resources.nodes);
    }
}
