//! The stages of a run: timed, traced and shown as a bar, and the table at the end.

use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zero_compute::{Progress, Stats};

/// The stages that are under way and done.
#[derive(Debug)]
pub struct Stages {
    bar: ProgressBar,
    done: Vec<(&'static str, Duration)>,
}

impl Stages {
    /// A bar of this many stages on standard error; nothing is drawn where that is no terminal.
    pub fn new(count: u64) -> Stages {
        let bar = ProgressBar::new(count);
        // The template is a literal that a test draws; were it wrong, the bar's own style would do.
        if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {pos}/{len} {msg} {elapsed}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Stages { bar, done: Vec::new() }
    }

    /// Runs a stage in a span of its name.
    ///
    /// # Errors
    /// Those of the stage.
    pub fn run<T, E>(&mut self, name: &'static str, stage: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.run_told(name, |_| stage())
    }

    /// The same for a stage that tells how far it is.
    ///
    /// # Errors
    /// Those of the stage.
    pub fn run_told<T, E>(
        &mut self,
        name: &'static str,
        stage: impl FnOnce(&dyn Progress) -> Result<T, E>,
    ) -> Result<T, E> {
        let span = tracing::info_span!("stage", name);
        let _inside = span.enter();
        self.bar.set_message(name);
        let begun = Instant::now();
        let told = Told {
            bar: self.bar.clone(),
            name,
        };
        let answer = stage(&told)?;
        self.done.push((name, begun.elapsed()));
        self.bar.inc(1);
        Ok(answer)
    }

    /// Prints a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the bar away and answers what each stage took.
    pub fn finish(mut self) -> Vec<(&'static str, Duration)> {
        std::mem::take(&mut self.done)
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How far a stage is, written beside its name.
struct Told {
    bar: ProgressBar,
    name: &'static str,
}

impl Progress for Told {
    fn report(&self, fraction: f32, _what: &str) {
        self.bar
            .set_message(format!("{}, {:.0} %", self.name, fraction * 100.0));
    }
}

/// What a run made and what it took.
#[derive(Clone, Debug)]
pub struct Report {
    /// The folder that the files lie in.
    pub folder: PathBuf,
    /// The device that cooked.
    pub device: String,
    /// The adapter that drew, where one did.
    pub adapter: Option<String>,
    /// Each file and its size in bytes; of a folder, that of all files in it.
    pub files: Vec<(&'static str, u64)>,
    /// Each stage and how long it took.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the device did.
    pub stats: Stats,
    /// What else there is to say: the landscape in numbers, and what was left out.
    pub notes: Vec<String>,
}

impl Report {
    /// The table that a run ends with.
    pub fn table(&self) -> String {
        let mut text = format!("cooked on {}\n", self.device);
        if let Some(adapter) = &self.adapter {
            let _ = writeln!(text, "drawn on {adapter}");
        }
        // Writing to a String cannot fail.
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        let _ = writeln!(text, "\nin {}\n{:<28}{:>14}", self.folder.display(), "file", "bytes");
        for (name, bytes) in &self.files {
            let _ = writeln!(text, "{name:<28}{bytes:>14}");
        }
        let _ = writeln!(text, "\n{:<28}{:>14}", "stage", "seconds");
        let mut sum = Duration::ZERO;
        for (name, took) in &self.stages {
            sum += *took;
            let _ = writeln!(text, "{name:<28}{:>14.2}", took.as_secs_f64());
        }
        let _ = writeln!(text, "{:<28}{:>14.2}", "all", sum.as_secs_f64());
        let _ = writeln!(text, "\n{:<28}{:>14}", "device", "count");
        for (name, count) in self.counts() {
            let _ = writeln!(text, "{name:<28}{count:>14}");
        }
        text
    }

    fn counts(&self) -> [(&'static str, u64); 10] {
        let stats = &self.stats;
        [
            ("dispatches", stats.dispatches),
            ("submissions", stats.submissions),
            ("command lists", stats.lists),
            ("programs", stats.programs),
            ("bind groups", stats.bind_groups),
            ("buffers made", stats.created),
            ("uploads", stats.uploads),
            ("bytes uploaded", stats.upload_bytes),
            ("read-backs", stats.readbacks),
            ("bytes read back", stats.readback_bytes),
        ]
    }
}
