//! [`SlotIndex`]: the texts of one slot, ranked by how well they fit a query.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;

use bm25::{Embedder, EmbedderBuilder, Embedding, Scorer, TokenEmbedder, TokenEmbedding};

use super::words::Words;

/// How long a text is ordinarily, in words. It is fixed, not measured: what a text scores does not depend on how long the
/// others are, so that a change of one asset leaves all others as they are.
const ORDINARY_WORDS: f32 = 64.0;
/// Words that begin as a word of a query does, where no text holds the word itself.
const MAX_COMPLETIONS: usize = 16;
/// Fewer letters begin too many words.
const MIN_COMPLETED_LETTERS: usize = 3;

/// A word is its own place in the space of words: two never meet, as hashes of them might.
struct ByWord;

impl TokenEmbedder for ByWord {
    type EmbeddingSpace = Box<str>;

    fn embed(token: &str) -> Box<str> {
        token.into()
    }
}

/// The texts of a slot, by the number of the asset.
pub(super) struct SlotIndex {
    embedder: Embedder<ByWord, Words>,
    scorer: Scorer<u32, Box<str>>,
    /// How many texts hold a word.
    vocabulary: BTreeMap<Box<str>, u32>,
    /// The words of each text.
    words: BTreeMap<u32, Vec<Box<str>>>,
}

impl fmt::Debug for SlotIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (texts, words) = (self.words.len(), self.vocabulary.len());
        write!(f, "SlotIndex({texts} texts, {words} words)")
    }
}

impl Default for SlotIndex {
    fn default() -> Self {
        Self {
            embedder: EmbedderBuilder::with_avgdl(ORDINARY_WORDS).build(),
            scorer: Scorer::new(),
            vocabulary: BTreeMap::new(),
            words: BTreeMap::new(),
        }
    }
}

impl SlotIndex {
    /// Takes a text in, in place of the one that stood under the number. A text without words is none.
    pub(super) fn set(&mut self, number: u32, text: &str) {
        self.remove(number);
        let mut embedding = self.embedder.embed(text);
        embedding.0.sort_by(|one, other| one.index.cmp(&other.index));
        embedding.0.dedup_by(|one, other| one.index == other.index);
        if embedding.is_empty() {
            return;
        }
        let words: Vec<Box<str>> = embedding.indices().cloned().collect();
        for word in &words {
            *self.vocabulary.entry(word.clone()).or_default() += 1;
        }
        self.words.insert(number, words);
        self.scorer.upsert(&number, embedding);
    }

    pub(super) fn remove(&mut self, number: u32) {
        let Some(words) = self.words.remove(&number) else {
            return;
        };
        self.scorer.remove(&number);
        for word in words {
            if let Some(count) = self.vocabulary.get_mut(&word) {
                *count -= 1;
                if *count == 0 {
                    self.vocabulary.remove(&word);
                }
            }
        }
    }

    pub(super) fn holds(&self, word: &str) -> bool {
        self.vocabulary.contains_key(word)
    }

    /// The words that begin with `word`, the first by their letters.
    pub(super) fn completions(&self, word: &str) -> Vec<Box<str>> {
        if word.chars().count() < MIN_COMPLETED_LETTERS {
            return Vec::new();
        }
        let after = self
            .vocabulary
            .range::<str, _>((Bound::Included(word), Bound::Unbounded));
        let begun = after.take_while(|(known, _)| known.starts_with(word));
        begun.take(MAX_COMPLETIONS).map(|(known, _)| known.clone()).collect()
    }

    /// How well each text fits a query, for those that hold one of its words; in no order.
    pub(super) fn matches(&self, words: &[Box<str>]) -> Vec<(u32, f32)> {
        let token = |index| TokenEmbedding { index, value: 1.0 };
        let query = Embedding(words.iter().cloned().map(token).collect());
        let found = self.scorer.matches(&query).into_iter();
        found.map(|found| (found.id, found.score)).collect()
    }
}
