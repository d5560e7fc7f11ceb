//! Every command and flag, declared in one place.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use lab::charts::{Scale, Theme};
use lab::orders::Orders;
use lab::registry::REGISTRY;
use lab::tables::Form;
use queens::Order;

use crate::output::Failure;

/// Measures and compares algorithms that count the placements of N queens.
#[derive(Debug, Parser)]
#[command(
    name = "xtask",
    bin_name = "cargo xtask",
    version,
    about,
    long_about = "Measures and compares algorithms that count the placements of N queens.\n\n\
        A placement puts N queens on a board of order N (N rows, N columns) so that no two attack \
        each other. Each algorithm is a variant with a crate of its own; 'list' names them.",
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_long_help = "Examples:\n  \
        cargo xtask bench --quick             a first comparison, within a minute of measuring\n  \
        cargo xtask bench                     the full one, within six\n  \
        cargo xtask list                      the variants, their documents and limits\n  \
        cargo xtask solve 8 --format circles  a placement of 8 queens\n  \
        cargo xtask count 14                  how many placements order 14 has\n\n\
        Exit status: 0 when all went well; 1 when something failed or a count was wrong; 2 when the \
        command line cannot be meant; 3 when a case is slower than a gate allows; 130 after Ctrl-C and 143 \
        after SIGTERM. A count of 0, as at orders 2 and 3, is a right answer."
)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify, measure and compare variants; leave CSV, charts and a report
    #[command(
        long_about = "Verify, measure and compare variants; leave CSV, charts and a report.\n\n\
        Each count is compared with the known tables before anything is timed. A short pilot then \
        finds what a call of each case takes, and a plan is printed: the cases, how long measuring \
        will take, and what is left out and why. Times are taken by Criterion in several rounds, \
        each with every case once in an order of its own; instructions are counted by \
        iai-callgrind, where valgrind is installed."
    )]
    Bench(Bench),
    /// Compare variants with each other, called in turn in one process, until it is clear
    Compare(Compare),
    /// Say why one variant is faster than another
    Explain(Explain),
    /// Tell what changed between two runs
    Diff(Diff),
    /// Tell how times grow with the order, and where variants overtake each other
    Growth(Growth),
    /// Measure the laboratory itself: false alarms, found differences, overhead
    #[command(
        long_about = "Measure the laboratory itself: how often it claims a difference between a variant \
        and itself, which planted differences it finds and how soon, both beside Criterion's own \
        comparison on the same cases; how often its intervals contain the truth; and which share of a \
        default run is spent inside the measured functions. METHODOLOGY.md has the table of one \
        machine."
    )]
    Calibrate(Calibrate),
    /// List the variants with their documents, limits and abilities
    #[command(after_long_help = "Example:\n  cargo xtask list\n\nExit status: 0.")]
    List,
    /// Check what variants count, list and visit against what is known
    #[command(long_about = "Check what variants count, list and visit against what is known.\n\n\
        Totals are compared with OEIS A000170 and fundamental counts with A002562. Every listed \
        placement passes an attack test that shares no code with any variant. The listed \
        placements that half and quarter turns leave as they are are counted, compared with A032522 \
        and A033148, and put into the identity (total + half-turn + 2 × quarter-turn) / 8 = \
        fundamental. Variants with equal search trees must have equal numbers of nodes.")]
    Verify(Verify),
    /// Count the placements of one order
    Count(Count),
    /// List placements of one order
    Solve(Solve),
    /// Draw charts of a run for an article, slides, a dark page or print; or check drawn ones
    Chart(Chart),
    /// Print a table of a run, or its numbers, for Markdown, LaTeX, Typst, HTML or as CSV
    Table(Table),
    /// Fill the regions of a Markdown file with tables, charts and numbers of a run, or check them
    Splice(Splice),
    /// Draw the charts of a run again, from its CSV files
    Plot(Again),
    /// Write the report and the charts of a run again, from its CSV files
    Report(Again),
    /// Write a shell's completions to standard output
    #[command(after_long_help = "Example, for bash:\n  \
        alias xtask='cargo xtask'\n  \
        source <(cargo xtask completions bash)\n\n\
        They complete the command 'xtask', which an alias like this one makes of 'cargo xtask'.\n\n\
        Exit status: 0; 2 for a shell that is not known.")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// What `bench` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask bench\n  \
        cargo xtask bench --quick --variants bitmask,symmetry\n  \
        cargo xtask bench --orders 8-12 --budget 20m --out my-run\n  \
        cargo xtask bench --orders 16 --dry-run      how long would that take?\n  \
        cargo xtask bench --resume reports/20260131-235959-1a2b3c4d\n  \
        cargo xtask bench --against reports/reference --threshold 5%\n\n\
        What is finished is on disk at once. Ctrl-C, SIGTERM or a crash lose the case under way at most, \
        and --resume goes on from there.\n\n\
        Exit status: 0 when no case failed, also where the budget had no room for the last of them; 1 \
        when one failed or was counted wrong, or when instructions were asked for by name and valgrind cannot run; 2 for a command line \
        that cannot be meant; 3 when a case is slower than --against allows; 130 after Ctrl-C and 143 \
        after SIGTERM. Without valgrind and without --instruments times are measured all \
        the same, and the instruction columns say why they are empty.")]
pub struct Bench {
    /// Variants to measure, with commas between them [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = variants())]
    pub variants: Option<Vec<String>>,
    /// Orders to measure: '8', '4,6,8', '4-12' or '4..=12' with 12, '4..12' without it
    /// [default: from 8 on, as many as fit into the budget]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub orders: Option<Orders>,
    /// The time that measuring may take, such as '90s', '10m' or '1h 30m' [default: 5m 30s; with
    /// --quick 45s]
    #[arg(long, value_name = "DURATION", value_parser = budget)]
    pub budget: Option<f64>,
    /// Measure for less than a minute, with short samples; marks all results as not for publication
    #[arg(long)]
    pub quick: bool,
    /// What to measure with, with commas between them [default: time, and instructions where
    /// valgrind can run]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub instruments: Option<Vec<Instrument>>,
    /// The variant that speedups are taken against [default: the first that is measured]
    #[arg(long, value_name = "VARIANT", value_parser = variants())]
    pub baseline: Option<String>,
    /// Rounds, each with every case once [default: a dozen or more, so that every variant takes every place
    /// equally often]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: Option<u32>,
    /// Share the calls of variants that can do that out among N threads [default: threads takes one for
    /// each core, every other variant one]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// A case that takes longer than this in a round is ended, and is a row 'timeout' [default: ten
    /// times what it is expected to take, at least 10s]
    #[arg(long, value_name = "DURATION", value_parser = limit)]
    pub case_limit: Option<f64>,
    /// Draws the order of the cases in each round [default: a new one each time, recorded]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The folder for the results, taken from where you stand; must not exist or be empty
    /// [default: a new one in the workspace's reports]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with a run that was interrupted: measure only what is missing, or whose code, toolchain
    /// or machine has changed
    #[arg(long, value_name = "RUN", conflicts_with_all = ["variants", "orders", "budget", "quick",
        "instruments", "baseline", "rounds", "threads", "case_limit", "seed", "out", "dry_run"])]
    pub resume: Option<PathBuf>,
    /// Compare with an earlier run in the end, as 'diff' does, and fail where a case has become slower
    #[arg(long, value_name = "RUN")]
    pub against: Option<PathBuf>,
    /// How much slower a case may become with --against, such as '5%'; never below the noise floors of
    /// the two runs [default: 5%]
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "against")]
    pub threshold: Option<f64>,
    /// Wait for another measurement on this machine to end, instead of refusing
    #[arg(long)]
    pub wait: bool,
    /// Print the plan and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// A measuring instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Instrument {
    /// Criterion: wall-clock time
    Time,
    /// iai-callgrind: exact instruction counts, by valgrind
    Instructions,
}

/// What `compare` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask compare bitmask symmetry\n  \
        cargo xtask compare prefix-check non-recursive --order 10 --precision 0.5%\n  \
        cargo xtask compare bitmask bitmask          how much noise is there?\n\n\
        The first variant is called a hidden second time, and what is found between the two is the noise \
        floor: no smaller difference is claimed. The rounds end when every interval is as narrow as \
        --precision asks, which is looked at more and more seldom, or with the budget.\n\n\
        Exit status: 0, also where the variants are not separated; 1 when a count is wrong or something \
        fails; 2 for a command line that cannot be meant; 130 after Ctrl-C.")]
pub struct Compare {
    /// Two variants or more; the first may come a second time
    #[arg(value_name = "VARIANT", required = true, num_args = 2.., value_parser = variants())]
    pub variants: Vec<String>,
    /// The order to compare at
    #[arg(long, value_name = "N", default_value = "12", allow_hyphen_values = true)]
    pub order: Order,
    /// Half the width of the intervals that is narrow enough, such as '1%'
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "1%")]
    pub precision: f64,
    /// The time that the rounds may take
    #[arg(long, value_name = "DURATION", value_parser = limit, default_value = "60s")]
    pub budget: f64,
    /// Share the calls of variants that can do that out among N threads [default: threads takes one for
    /// each core, every other variant one]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Draws the order of the variants in each round [default: a new one each time, printed]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Wait for another measurement on this machine to end, instead of refusing
    #[arg(long)]
    pub wait: bool,
}

/// What `explain` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask explain bitmask symmetry\n  \
        cargo xtask explain full-scan prefix-check --order 10\n\n\
        The time of a call is the nodes of its search tree, times the instructions a node, times the time \
        an instruction. The nodes are counted by the search, the instructions by Callgrind, and the time \
        is taken by calling each variant alone. Their product is compared with the speedup that is found \
        by calling the two in turn. Needs valgrind.\n\n\
        Exit status: 0; 1 when a count is wrong or something fails; 2 for a command line that cannot be \
        meant; 130 after Ctrl-C.")]
pub struct Explain {
    /// The variant that is explained against
    #[arg(value_name = "A", value_parser = variants())]
    pub baseline: String,
    /// The variant whose speedup is explained
    #[arg(value_name = "B", value_parser = variants())]
    pub variant: String,
    /// The order, from 4 to 12
    #[arg(long, value_name = "N", default_value = "10", allow_hyphen_values = true)]
    pub order: Order,
    /// The time that the clock may take
    #[arg(long, value_name = "DURATION", value_parser = limit, default_value = "20s")]
    pub budget: f64,
    /// Wait for another measurement on this machine to end, instead of refusing
    #[arg(long)]
    pub wait: bool,
}

/// What `diff` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask diff reports/reference my-run\n  \
        cargo xtask diff theirs mine --across-machines\n\n\
        Exit status: 0, whatever has changed; 1 when a run cannot be read, was interrupted or is of \
        another machine; 2 for a command line that cannot be meant. 'bench --against' is the gate.")]
pub struct Diff {
    /// The folder of the earlier run
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,
    /// The folder of the later run
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,
    /// Compare runs of two machines, and only what carries over: instruction counts
    #[arg(long)]
    pub across_machines: bool,
}

/// What `growth` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask growth reports/reference\n  \
        cargo xtask growth reports/reference --orders 9-15\n  \
        cargo xtask growth reports/reference --of instructions\n\n\
        Three models of two coefficients each are fitted to the logarithms: exponential, factorial, and a \
        power of the factorial. Their criteria say which describes the data best, or that they cannot \
        be told apart.\n\n\
        Exit status: 0; 1 when the run cannot be read or has too few orders; 2 for a command line that \
        cannot be meant.")]
pub struct Growth {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The orders to fit [default: of times those whose call takes 300 µs or more, where the processor no
    /// longer knows the search by heart; of instructions those from 8 on]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub orders: Option<Orders>,
    /// What grows
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Cost::Time)]
    pub of: Cost,
}

/// A cost that grows with the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cost {
    /// The median time of one call
    Time,
    /// The instructions of one call
    Instructions,
}

/// What `calibrate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask calibrate\n  \
        cargo xtask calibrate --comparisons 20 --without-run --runs 0     a first look\n  \
        cargo xtask calibrate --again reports/calibration\n\n\
        Exit status: 0 when it came to its end, whatever it found; 1 when something failed; 2 for a command \
        line that cannot be meant; 130 after Ctrl-C.")]
pub struct Calibrate {
    /// Comparisons of a variant with itself, by the laboratory and by Criterion each
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=10_000))]
    pub comparisons: u32,
    /// Comparisons of each planted difference [default: a tenth of the others]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub planted: Option<u32>,
    /// The time that one comparison may take, the laboratory's as Criterion's
    #[arg(long, value_name = "DURATION", value_parser = limit, default_value = "2s")]
    pub each: f64,
    /// Write the tables of an earlier calibration again, from what it left in its folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["comparisons", "planted", "each", "without_run",
        "runs", "out"])]
    pub again: Option<PathBuf>,
    /// Leave out the default run, whose overhead is measured
    #[arg(long)]
    pub without_run: bool,
    /// Short runs to make one after the other and compare by 'diff', each with the one before
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub runs: u32,
    /// The folder for the results, taken from where you stand; must not exist or be empty [default: a
    /// new one in the workspace's reports]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Wait for another measurement on this machine to end, instead of refusing
    #[arg(long)]
    pub wait: bool,
}

/// What `verify` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
        cargo xtask verify\n  \
        cargo xtask verify --variants symmetry --orders 0-14\n  \
        cargo xtask verify --counts my-table.csv\n\n\
        Exit status: 0 when nothing differs; 1 when something does.")]
pub struct Verify {
    /// Variants to check, with commas between them [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = variants())]
    pub variants: Option<Vec<String>>,
    /// Orders to check: '8', '4,6,8', '4-12' or '4..=12' with 12, '4..12' without it
    #[arg(long, value_name = "RANGE", default_value = "0-10", allow_hyphen_values = true)]
    pub orders: Orders,
    /// Check a table of counts instead: a CSV file with the columns 'order' and 'total',
    /// 'fundamental', or both
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variants", "orders"])]
    pub counts: Option<PathBuf>,
}

/// What `count` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask count 8\n  \
    cargo xtask count 12 --variant array-2d\n  \
    cargo xtask count 20 --threads 2\n  \
    cargo xtask count 20 --resume                go on with it after Ctrl-C or a crash\n\n\
    The total goes to standard output, with the fundamental count, the time that the count took and the \
    variant. Variants that can share a count out do so among all cores, say how far they are, and keep a \
    checkpoint once they have counted for five seconds, with what each part of the count has. It is written \
    every five seconds and at Ctrl-C, and stays when the count is finished. The result does not depend on the \
    threads. Any other variant says first how long it will take, and Ctrl-C ends it.\n\n\
    Exit status: 0 when the total is right or none is known to compare it with; 1 when it is wrong or \
    the variant does not accept the order; 2 for a command line that cannot be meant; 130 after Ctrl-C and \
    143 after SIGTERM.")]
pub struct Count {
    /// The order, a whole number from 0 to 128
    #[arg(value_name = "N", allow_hyphen_values = true)]
    pub order: Order,
    /// The variant to count with [default: the fastest that accepts the order]
    #[arg(long, value_name = "VARIANT", value_parser = variants())]
    pub variant: Option<String>,
    /// Share the count out among N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// The file that keeps what is counted, taken from where you stand [default: one in the workspace's
    /// reports, named by variant and order]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Go on with the count in that file
    #[arg(long)]
    pub resume: bool,
}

/// What `solve` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask solve 8\n  \
    cargo xtask solve 6 --all --format circles\n  \
    cargo xtask solve 8 --all --fundamental --format json\n  \
    cargo xtask solve 12 --all --format csv > placements.csv\n\n\
    Rows and columns are counted from 1, and every column list has the queen of row 1 first. A \
    variant that visits every placement lists them in ascending order; one that visits fundamental \
    placements lists all of them as each fundamental one followed by its images. The placement of \
    order 0 is the empty board. Where there is none, as at orders 2 and 3, a sentence on standard \
    error says so and standard output has no board.\n\n\
    Exit status: 0, also where there is no placement or the reader of the output goes away; 1 when the \
    variant does not accept the order; 2 for a command line that cannot be meant.")]
pub struct Solve {
    /// The order, a whole number from 0 to 128
    #[arg(value_name = "N", allow_hyphen_values = true)]
    pub order: Order,
    /// The variant to search with [default: bitmask]
    #[arg(long, value_name = "VARIANT", value_parser = variants(), default_value = "bitmask", hide_default_value = true)]
    pub variant: String,
    /// List the first placement only, which is the default
    #[arg(long, conflicts_with_all = ["limit", "all"])]
    pub first: bool,
    /// List at most K placements
    #[arg(long, value_name = "K", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// List every placement
    #[arg(long)]
    pub all: bool,
    /// List one placement for each set of images under rotation and reflection, the
    /// lexicographically least
    #[arg(long)]
    pub fundamental: bool,
    /// The form of a placement
    #[arg(long, value_name = "FORM", value_enum, default_value_t = FormName::Hash)]
    pub format: FormName,
}

/// A form of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormName {
    /// A board of '.' and '#' with the columns below it
    Hash,
    /// A board of ○ and ●
    Circles,
    /// A board of 'x' and 'Q'
    Letters,
    /// Pairs of row and column
    Pairs,
    /// A list of strings of '.' and 'Q', one list a line
    Strings,
    /// One JSON object a line
    Json,
    /// CSV with the columns placement, images (of fundamental placements) and columns
    Csv,
}

/// What `chart` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask chart                                         all, of the newest run\n  \
    cargo xtask chart time speedup --run reports/reference --theme print --format pdf --out figures\n  \
    cargo xtask chart ranking --theme slides --size 1920x1080\n  \
    cargo xtask chart samples --order 12 --size 160mmx120mm\n  \
    cargo xtask chart --check figures/*.svg\n\n\
    A file's name says what in it is not as in a run's own charts: time-print.pdf, \
    ranking-order-12.svg. Each file says which run, commit, machine and command it is of, and has the \
    SHA-256 of the run's CSV files, one after the other as the laboratory writes them; --check reads that, draws the chart again, and says \
    whether it is still what the data say.\n\n\
    The charts: time and instructions of a call against order; speedup against order, on a scale on \
    which twice as fast and twice as slow are equally far from the middle; ranking at one order with \
    factors; explained: nodes, instructions a node and time an instruction; search-tree: nodes by row; \
    growth: the factor a queen; frontier: the largest order within a second and a minute; samples: every \
    one; drift over the rounds; noise: a variant against itself; heat-map: variants by orders.\n\n\
    Exit status: 0; 1 when a file cannot be read or written, when there is nothing to show or it does not \
    fit into the size, and when a checked chart is not what the data say; 2 for a command line that \
    cannot be meant.")]
pub struct Chart {
    /// The charts to draw [default: all that the run has values for]
    #[arg(value_name = "NAME", value_parser = charts(), conflicts_with = "check")]
    pub names: Vec<String>,
    /// The folder of the run [default: the newest one in the workspace's reports; with --check the one that
    /// the file lies in, or the one in reports that it names]
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// What the charts are for
    #[arg(long, value_name = "THEME", value_enum, default_value_t = ThemeName::Article)]
    pub theme: ThemeName,
    /// Width and height, such as '960x600' in pixels of 1/96 inch or '160mmx100mm' [default: the theme's own]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub size: Option<(u32, u32)>,
    /// The forms of the files, with commas between them
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "svg,png")]
    pub format: Vec<ChartFormat>,
    /// The variant that speedups are taken against [default: the run's own]
    #[arg(long, value_name = "VARIANT")]
    pub baseline: Option<String>,
    /// The order of charts of one order [default: the largest that all variants were timed at; of explained and
    /// search-tree, the largest that has what they show]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub order: Option<Order>,
    /// How values are spread [default: by their logarithm, bars by their length]
    #[arg(long, value_name = "SCALE", value_enum)]
    pub scale: Option<ScaleName>,
    /// The folder for the files, taken from where you stand [default: the run's 'charts']
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Say of each of these SVG and PNG files whether it is still what its run's data say
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["theme", "size", "format", "baseline",
        "order", "scale", "out"])]
    pub check: Vec<PathBuf>,
}

/// A theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// A page of text, on white
    Article,
    /// A projected slide: 16 to 9, large letters
    Slides,
    /// A page with a dark background
    Dark,
    /// Grey print, as wide as the text on a page of A4
    Print,
}

impl ThemeName {
    /// The theme.
    pub const fn theme(self) -> Theme {
        match self {
            Self::Article => Theme::Article,
            Self::Slides => Theme::Slides,
            Self::Dark => Theme::Dark,
            Self::Print => Theme::Print,
        }
    }
}

/// The form of a chart's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChartFormat {
    /// Scalable, with text as text
    Svg,
    /// A bitmap of two dots a pixel
    Png,
    /// For LaTeX and print, with text as text and the font in it
    Pdf,
}

impl ChartFormat {
    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }
}

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScaleName {
    /// By their logarithm
    Log,
    /// By their differences
    Linear,
}

impl ScaleName {
    /// The scale.
    pub const fn scale(self) -> Scale {
        match self {
            Self::Log => Scale::Log,
            Self::Linear => Scale::Linear,
        }
    }
}

/// What `table` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask table ranking\n  \
    cargo xtask table ranking growth --run reports/reference --format latex --out paper\n  \
    cargo xtask table numbers --format typst > numbers.typ\n\n\
    A value has the digits that its interval justifies, and two where it has none. 'numbers' is every \
    statistic of the run by a name of its own: a macro of LaTeX (\\labLanesOneThreeTime), a variable of \
    Typst (lanes-13-time), or a list. A run's own folder 'tables' has every \
    table in every form, and the numbers for LaTeX, Typst and as CSV.\n\n\
    Exit status: 0; 1 when a file cannot be read or written, or the run has no value for a table; 2 for a \
    command line that cannot be meant.")]
pub struct Table {
    /// The tables, or 'numbers'
    #[arg(value_name = "NAME", required = true, value_parser = tables())]
    pub names: Vec<String>,
    /// The folder of the run [default: the newest one in the workspace's reports]
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// The form
    #[arg(long, value_name = "FORM", value_enum, default_value_t = TableForm::Markdown)]
    pub format: TableForm,
    /// The variant that speedups are taken against [default: the run's own]
    #[arg(long, value_name = "VARIANT")]
    pub baseline: Option<String>,
    /// Write a file a table into this folder, taken from where you stand [default: print]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableForm {
    /// As GitHub has it
    Markdown,
    /// A tabular with the package booktabs, or macros
    Latex,
    /// A table, or variables
    Typst,
    /// A table
    Html,
    /// As RFC 4180 has it
    Csv,
}

impl TableForm {
    /// The form.
    pub const fn form(self) -> Form {
        match self {
            Self::Markdown => Form::Markdown,
            Self::Latex => Form::Latex,
            Self::Typst => Form::Typst,
            Self::Html => Form::Html,
            Self::Csv => Form::Csv,
        }
    }
}

/// What `splice` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask splice article.md --run reports/reference\n  \
    cargo xtask splice README.md --run reports/reference --check\n\n\
    A region stands between two comments, and what is between them is replaced:\n\n  \
    <!-- table ranking --> … <!-- /table -->\n  \
    <!-- chart time --> … <!-- /chart -->\n  \
    It takes <!-- number lanes-13-time -->…<!-- /number -->.\n\n\
    'table numbers' lists the names of numbers. A chart is a link to the run's own picture. Comments in \
    code are left alone.\n\n\
    Exit status: 0; 1 when a file cannot be read or written, a region is not as it must be, or, with \
    --check, is not what the run says; 2 for a command line that cannot be meant.")]
pub struct Splice {
    /// The Markdown files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The folder of the run [default: the newest one in the workspace's reports]
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// The variant that speedups are taken against [default: the run's own]
    #[arg(long, value_name = "VARIANT")]
    pub baseline: Option<String>,
    /// Change nothing, and fail where a region is not what the run says
    #[arg(long)]
    pub check: bool,
}

/// What `plot` and `report` take.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    cargo xtask plot reports/reference\n  \
    cargo xtask report my-run --baseline bitmask\n\n\
    Only the CSV files are needed. They may have been edited: times may carry one of the units ns, \
    us, µs, ms, s and min, an empty cell is missing, rows may be added or taken out, and what \
    cannot be read is refused by file, line and column.\n\n\
    Exit status: 0; 1 when a file cannot be read or written, or has nothing to show; 2 for a command \
    line that cannot be meant.")]
pub struct Again {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The variant that speedups are taken against [default: the run's own]
    #[arg(long, value_name = "VARIANT")]
    pub baseline: Option<String>,
}

fn tables() -> PossibleValuesParser {
    let tables = lab::tables::Kind::ALL.map(lab::tables::Kind::name);
    PossibleValuesParser::new(tables.into_iter().chain([lab::numbers::FILE]))
}

fn charts() -> PossibleValuesParser {
    PossibleValuesParser::new(lab::charts::Chart::ALL.map(lab::charts::Chart::name))
}

/// Reads a width and a height, in pixels or in millimetres.
fn size(text: &str) -> Result<(u32, u32), String> {
    const MOST: f64 = 10_000.0;
    // A bitmap of so many pixels, at two dots each way, takes half a gigabyte while it is drawn.
    const MOST_PIXELS: u32 = 40_000_000;
    let accepted = "a width and a height such as '960x600' in pixels or '160mmx100mm', up to 10000 pixels each \
                    and 40 million together";
    let pixels = |text: &str| {
        let (number, unit) =
            text.strip_suffix("mm").map_or((text, 1.0), |number| (number, 96.0 / 25.4));
        let number: f64 = number.parse().ok().filter(|_| !number.starts_with(['+', '-']))?;
        let pixels = (number * unit).round();
        (1.0..=MOST).contains(&pixels).then_some(pixels as u32)
    };
    let sides = text.split_once('x').and_then(|(width, height)| pixels(width).zip(pixels(height)));
    sides
        .filter(|(width, height)| width * height <= MOST_PIXELS)
        .ok_or_else(|| format!("it is not {accepted}"))
}

fn variants() -> PossibleValuesParser {
    PossibleValuesParser::new(REGISTRY.iter().map(|entry| entry.variant.id()))
}

/// Reads a budget: 10 seconds or more.
fn budget(text: &str) -> Result<f64, String> {
    duration(text, 10.0)
}

/// Reads a limit: a tenth of a second or more.
fn limit(text: &str) -> Result<f64, String> {
    duration(text, 0.1)
}

fn duration(text: &str, least: f64) -> Result<f64, String> {
    let accepted = format!("a duration such as '90s', '10m' or '1h 30m', at least {least}s");
    let duration: jiff::SignedDuration =
        text.parse().map_err(|_| format!("it is not {accepted}"))?;
    let seconds = duration.as_secs_f64();
    if seconds >= least { Ok(seconds) } else { Err(format!("it is not {accepted}")) }
}

/// Reads a number of threads.
fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.filter(|_| !text.starts_with('+')).ok_or_else(|| {
        format!("it is not a whole number from 1 to {MOST}; 0 does not mean all cores: leave the flag out")
    })
}

/// Reads a share of hundred as a factor above 1: '5%' is 1.05.
fn percent(text: &str) -> Result<f64, String> {
    let accepted = "a number above 0 and below 100 with a percent sign, such as '1%' or '0.5%'";
    let number = text.strip_suffix('%').map(str::trim).unwrap_or_default();
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent < 100.0 && !number.starts_with('+') => {
            Ok(1.0 + percent / 100.0)
        }
        _ => Err(format!("it is not {accepted}")),
    }
}

/// Reads the command line. Help and version are printed here.
pub fn parse() -> Result<Command, Failure> {
    match Cli::try_parse() {
        Ok(cli) => Ok(cli.command),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                error.print()?;
                Err(Failure::OutputClosed)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Cli::command().print_long_help()?;
                Err(Failure::OutputClosed)
            }
            _ => Err(Failure::Usage(one_line(&error.render().to_string()))),
        },
    }
}

/// A message of several lines as one, without what only repeats how to ask for help.
fn one_line(message: &str) -> String {
    let parts: Vec<&str> = message
        .lines()
        .map(|line| line.trim().trim_start_matches("error: "))
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        .collect();
    parts.join("; ").replace("Usage: ", "usage: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declarations_agree_with_each_other() {
        Cli::command().debug_assert();
    }

    fn refused(arguments: &[&str]) -> String {
        let all = std::iter::once(&"xtask").chain(arguments);
        one_line(&Cli::try_parse_from(all).unwrap_err().render().to_string())
    }

    /// CLI-01 and CLI-06 of the public reports: one line that quotes the input and says what would
    /// be accepted.
    #[test]
    fn bad_input_is_refused_in_one_line() {
        for (arguments, quoted, accepted) in [
            (&["count", "-1"][..], "'-1'", "from 0 to 128"),
            (&["count", "+8"], "'+8'", "from 0 to 128"),
            (&["count", ""], "''", "from 0 to 128"),
            (&["count", "8,10"], "'8,10'", "from 0 to 128"),
            (&["count", "99999999999999999999999"], "'99999999999999999999999'", "from 0 to 128"),
            (&["bench", "--orders", "10-4"], "'10-4'", "'4..=12' with 12"),
            (&["bench", "--orders", "9..9"], "'9..9'", "'4..=12' with 12"),
            (&["bench", "--variants", "bitmsak"], "'bitmsak'", "array-2d, full-scan"),
            (&["verify", "--variants", "bitmask,"], "--variants", "array-2d, full-scan"),
            (&["bench", "--threads", "0"], "'0'", "from 1 to 1024"),
            (&["compare", "lanes", "threads", "--threads", "+2"], "'+2'", "from 1 to 1024"),
            (&["count", "8", "--threads", "1025"], "'1025'", "from 1 to 1024"),
            (&["bench", "--budget", "0s"], "'0s'", "at least 10s"),
            (&["bench", "--budget", "soon"], "'soon'", "at least 10s"),
            (&["solve", "8", "--limit", "0"], "'0'", "1.."),
            (&["solve", "8", "--format", "png"], "'png'", "circles"),
            (&["chart", "tiem"], "'tiem'", "time, ranking, speedup"),
            (&["chart", "--size", "960"], "'960'", "'160mmx100mm'"),
            (&["chart", "--size", "0x600"], "'0x600'", "'160mmx100mm'"),
            (&["chart", "--size", "-960x600"], "'-960x600'", "'160mmx100mm'"),
            (&["chart", "--size", "9000x9000"], "'9000x9000'", "40 million together"),
            (&["chart", "--theme", "neon"], "'neon'", "article, slides, dark, print"),
            (&["chart", "--format", "gif"], "'gif'", "svg, png, pdf"),
            (&["bench", "--instruments", "sundial"], "'sundial'", "time, instructions"),
        ] {
            let message = refused(arguments);
            assert!(!message.contains('\n'), "{message}");
            assert!(message.contains(quoted) && message.contains(accepted), "{message}");
        }
    }
}
