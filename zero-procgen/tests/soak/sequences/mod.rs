//! Random sequences of edits, moved inputs, registrations, evictions, cuts and refusals over plays that share a store.
//! After each the play shows, bit for bit, what a play of its own on an empty store shows.

mod recipe;
mod words;

use recipe::Recipe;
use std::collections::BTreeMap;
use words::words;
use zero_compute::{CancelToken, Device, Exec, ManualClock};
use zero_procgen::{Clock, Frame, Inputs, Play, PlayOptions, Present, Store, StoreOptions, Tier};

/// How often each thing was done.
pub(crate) type Tally = BTreeMap<String, u64>;

/// What a sequence may do between two presents. The tally has a line for each.
pub(crate) const ACTIONS: [&str; 10] = [
    "edit", "input", "plain", "clock", "register", "evict", "replay", "cut", "cancel", "refuse",
];

/// Things done in one sequence.
const LENGTH: usize = 14;

/// A generator whose state is all there is to it: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Draws {
        Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of a few.
    pub(crate) fn one_of<T: Copy>(&mut self, few: &[T]) -> T {
        few[self.below(few.len())]
    }
}

/// A play with what it was given.
struct Player {
    play: Play,
    recipe: Recipe,
    inputs: Inputs,
    clock: Clock,
}

impl Player {
    fn new(store: &Store, draws: &mut Draws) -> Result<Player, String> {
        let recipe = Recipe::new(draws);
        let graph = recipe.graph()?;
        let play = Play::new(store, &graph, Inputs::default()).map_err(text)?;
        Ok(Player {
            play,
            recipe,
            inputs: Inputs::default(),
            clock: Clock::frame(0, 30.0),
        })
    }

    /// Gives the play the graph of its recipe.
    fn rewrite(&mut self) -> Result<(), String> {
        let graph = self.recipe.graph()?;
        self.play.set_graph(&graph).map_err(text)
    }

    fn give(&mut self, name: &str, value: impl Into<zero_procgen::InputValue>) -> Result<(), String> {
        let mut moved = Inputs::default();
        moved.set(name, value);
        self.play.set_inputs(moved.clone()).map_err(text)?;
        if let Some(value) = moved.get(name) {
            self.inputs.set(name, value.clone());
        }
        Ok(())
    }

    fn show(&mut self) -> Result<Frame, String> {
        for _ in 0..100_000 {
            match self.play.present(self.clock, &Exec::default()).map_err(text)? {
                Present::Whole(frame) => return Ok(frame),
                Present::Pending => {
                    self.play.device().poll();
                }
            }
        }
        Err("the present did not settle".to_owned())
    }

    /// A play of the same that has cooked nothing before, and records nothing.
    fn cold(&self) -> Result<Play, String> {
        let store = Store::new(self.play.device(), StoreOptions::default());
        let options = PlayOptions {
            recorded: false,
            ..PlayOptions::default()
        };
        Play::with_options(&store, &self.recipe.graph()?, self.inputs.clone(), options).map_err(text)
    }

    /// Shows what stands for now, and holds it to a play that has cooked nothing before.
    fn check(&mut self, tally: &mut Tally) -> Result<(), String> {
        let frame = self.show()?;
        let (cooked, replayed) = (self.play.report().cooked.len(), self.play.report().replayed);
        if self.play.report().mismatched {
            return Err("a replay did not give what a cook gave".to_owned());
        }
        let mut cold = self.cold()?;
        let expected = match cold.present(self.clock, &Exec::default()).map_err(text)? {
            Present::Whole(frame) => frame,
            Present::Pending => return Err("a present without a budget was not whole".to_owned()),
        };
        let (found, expected) = (words(&frame)?, words(&expected)?);
        *tally.entry("words".to_owned()).or_default() +=
            expected.iter().map(|(_, words)| words.len() as u64).sum::<u64>();
        *tally.entry("cooked".to_owned()).or_default() += cooked as u64;
        *tally.entry("cold".to_owned()).or_default() += cold.report().cooked.len() as u64;
        *tally.entry("replayed".to_owned()).or_default() += replayed as u64;
        if found.len() != expected.len() {
            return Err(format!("{} columns, cold {}", found.len(), expected.len()));
        }
        match found.iter().zip(&expected).find(|(found, expected)| found != expected) {
            None => Ok(()),
            Some(((name, found), (other, expected))) => {
                let at = found.iter().zip(expected).position(|(a, b)| a != b);
                Err(format!(
                    "{name} differs from {other} of a cold cook: {} words and {}, first at {at:?}",
                    found.len(),
                    expected.len()
                ))
            }
        }
    }
}

/// A clock that moves on by a millisecond each time it is read, so that a budget runs out after a known number of looks.
struct Ticking(ManualClock);

impl zero_compute::Clock for Ticking {
    fn now_ms(&self) -> f64 {
        self.0.advance_ms(1.0);
        self.0.now_ms()
    }
}

fn text(error: zero_procgen::Error) -> String {
    error.to_string()
}

/// Runs the sequence of this number, which is all that decides it.
pub(crate) fn run(device: &Device, number: u64, tally: &mut Tally) -> Result<(), String> {
    let mut draws = Draws::new(number);
    let budget_bytes = draws.one_of(&[1, 40_000, 400_000, 1 << 30, 1 << 30]);
    let store = Store::new(device, StoreOptions { budget_bytes });
    let mut players = [Player::new(&store, &mut draws)?, Player::new(&store, &mut draws)?];
    if draws.below(2) == 0 {
        // Two plays of one graph, or of two that begin alike.
        players[1].recipe = players[0].recipe.clone();
        players[1].rewrite()?;
    }
    for step in 0..LENGTH {
        let action = draws.one_of(&ACTIONS);
        let player = &mut players[draws.below(2)];
        act(action, player, &store, &mut draws)
            .and_then(|()| player.check(tally))
            .map_err(|message| format!("step {step}, {action}: {message}"))?;
        *tally.entry(action.to_owned()).or_default() += 1;
        if budget_bytes == 1 && store.memory().bytes() > store.memory().tier(Tier::Stands) {
            let asked: u64 = [Tier::Copies, Tier::Recordings]
                .map(|tier| store.memory().tier(tier))
                .iter()
                .sum();
            // What the other play keeps goes when it presents next.
            if store.memory().bytes() > store.memory().tier(Tier::Stands) + asked {
                return Err(format!(
                    "step {step}, {action}: more than what stands is left\n{}",
                    store.memory()
                ));
            }
        }
    }
    *tally.entry("sequences".to_owned()).or_default() += 1;
    Ok(())
}

fn act(action: &str, player: &mut Player, store: &Store, draws: &mut Draws) -> Result<(), String> {
    match action {
        "edit" => {
            player.recipe.edit(draws);
            player.rewrite()
        }
        "register" => {
            player.recipe.register(draws);
            player.rewrite()
        }
        "plain" => player.give("storeys", draws.below(4) as i32),
        "input" => (0..=draws.below(3)).try_for_each(|_| number(player, draws)),
        "replay" => {
            // One number on its way, as a slider gives it.
            let name = format!("n{}", draws.below(recipe::NUMBERS));
            for turn in 0..4 {
                player.give(&name, 0.5 + turn as f32 * 0.25)?;
                player.show()?;
            }
            Ok(())
        }
        "clock" => {
            player.clock = Clock::frame(draws.below(9) as i32, 30.0);
            Ok(())
        }
        "evict" => {
            store.let_go(draws.one_of(&Tier::ALL));
            Ok(())
        }
        "cut" => cut(player, draws),
        "cancel" => {
            number(player, draws)?;
            let cancel = CancelToken::new();
            cancel.cancel();
            let exec = Exec {
                cancel: &cancel,
                ..Exec::default()
            };
            match player.play.present(player.clock, &exec) {
                Err(error) if error.is_cancelled() => Ok(()),
                Err(error) => Err(text(error)),
                Ok(_) => Err("a cancelled present ended".to_owned()),
            }
        }
        "refuse" => refuse(player, draws),
        _ => Err(format!("there is no `{action}`")),
    }
}

/// Moves a number to one of a few, so that it comes back to where it was.
fn number(player: &mut Player, draws: &mut Draws) -> Result<(), String> {
    if draws.below(3) == 0 {
        let name = format!("i{}", draws.below(recipe::WHOLE));
        player.give(&name, draws.below(5) as i32)
    } else {
        let name = format!("n{}", draws.below(recipe::NUMBERS));
        player.give(&name, draws.one_of(&[0.25f32, 0.5, 1.0, 1.5, 3.0]))
    }
}

/// Presents with a budget that ends it somewhere, and may ask for something else before it has ended.
fn cut(player: &mut Player, draws: &mut Draws) -> Result<(), String> {
    player.recipe.edit(draws);
    player.rewrite()?;
    let clock = Ticking(ManualClock::default());
    for _ in 0..draws.below(4) {
        let exec = Exec {
            budget_ms: Some(1.0 + draws.below(4) as f64),
            clock: &clock,
            ..Exec::default()
        };
        player.play.present(player.clock, &exec).map_err(text)?;
        if draws.below(3) == 0 {
            number(player, draws)?;
        }
    }
    Ok(())
}

/// Asks for more points than there may be: what stood stands, and what is asked for next is made.
fn refuse(player: &mut Player, draws: &mut Draws) -> Result<(), String> {
    let before = player.inputs.get("i0").cloned();
    player.give("i0", i32::MAX)?;
    let stood = player.play.shown().map(words).transpose()?;
    let refused = player.play.present(player.clock, &Exec::default()).is_err();
    let cold = player.cold()?.present(player.clock, &Exec::default()).is_err();
    if refused != cold {
        return Err(format!("refused: {refused}, by a cold play: {cold}"));
    }
    if refused && player.play.shown().map(words).transpose()? != stood {
        return Err("what stood did not stand".to_owned());
    }
    match before {
        Some(before) => player.give("i0", before),
        None => player.give("i0", draws.below(5) as i32),
    }
}
