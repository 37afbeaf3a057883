/**
 * Words in a text by Aho-Corasick (Aho and Corasick, 1975): one pass over the text, however many words there are. The tree
 * stands in typed arrays with one hash table for all its edges, some 20 bytes a node.
 */
export interface WordSearch {
  /** Calls back with the number of each word that ends at `end`, those within others too, until it returns false. */
  each: (text: string, found: (word: number, start: number, end: number) => boolean) => void;
}

interface Edges {
  get: (node: number, unit: number) => number;
  set: (node: number, unit: number, to: number) => void;
}

/** Of words as `foldText` leaves them. Empty ones are never found; of equal ones all are. */
export function searchFor(words: readonly string[]): WordSearch {
  const nodesMax = words.reduce((sum, word) => sum + word.length, 1);
  const edges = edgesFor(nodesMax);
  // The last word that ends at a node, and the one before it that does; from 1.
  const lastWord = new Int32Array(nodesMax);
  const wordBefore = new Int32Array(words.length + 1);
  const parent = new Int32Array(nodesMax);
  const unitOf = new Uint16Array(nodesMax);
  let nodes = 1;
  words.forEach((word, index) => {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      const unit = word.charCodeAt(at);
      let next = edges.get(node, unit);
      if (next === 0) {
        next = nodes++;
        edges.set(node, unit, next);
        parent[next] = node;
        unitOf[next] = unit;
      }
      node = next;
    }
    if (node === 0) return;
    wordBefore[index + 1] = lastWord[node]!;
    lastWord[node] = index + 1;
  });
  const { fail, shorter } = linksOf(edges, { nodes, parent, unitOf, lastWord });
  const each: WordSearch['each'] = (text, found) => {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let next = edges.get(node, unit);
      while (next === 0 && node !== 0) {
        node = fail[node]!;
        next = edges.get(node, unit);
      }
      node = next;
      for (let ends = node; ends !== 0; ends = shorter[ends]!)
        for (let word = lastWord[ends]!; word !== 0; word = wordBefore[word]!)
          if (!found(word - 1, at + 1 - words[word - 1]!.length, at + 1)) return;
    }
  };
  return { each };
}

interface Tree {
  nodes: number;
  parent: Int32Array;
  unitOf: Uint16Array;
  lastWord: Int32Array;
}

/** Where to go on when a letter does not fit, and the next shorter end of words; each node after those that are nearer the root. */
function linksOf(edges: Edges, { nodes, parent, unitOf, lastWord }: Tree) {
  const fail = new Int32Array(nodes);
  const shorter = new Int32Array(nodes);
  for (const node of byDepth(nodes, parent)) {
    const above = parent[node]!;
    if (above !== 0) {
      let from = fail[above]!;
      let to = edges.get(from, unitOf[node]!);
      while (to === 0 && from !== 0) {
        from = fail[from]!;
        to = edges.get(from, unitOf[node]!);
      }
      fail[node] = to;
    }
    const next = fail[node]!;
    shorter[node] = lastWord[next] === 0 ? shorter[next]! : next;
  }
  return { fail, shorter };
}

/** The nodes below the root. A parent has a smaller number than its children, so one pass tells how deep each is. */
function byDepth(nodes: number, parent: Int32Array): Int32Array {
  const depth = new Int32Array(nodes);
  let deepest = 0;
  for (let node = 1; node < nodes; node++) {
    depth[node] = depth[parent[node]!]! + 1;
    deepest = Math.max(deepest, depth[node]!);
  }
  const starts = new Int32Array(deepest + 2);
  for (let node = 1; node < nodes; node++) starts[depth[node]! + 1]!++;
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const ordered = new Int32Array(nodes - 1);
  for (let node = 1; node < nodes; node++) ordered[starts[depth[node]!]!++] = node;
  return ordered;
}

/** Open addressing at most half full; 0: there is none. */
function edgesFor(nodesMax: number): Edges {
  const size = 2 ** Math.ceil(Math.log2(nodesMax * 2 + 2));
  const from = new Int32Array(size);
  const units = new Uint16Array(size);
  const ends = new Int32Array(size);
  const placeOf = (node: number, unit: number): number => {
    let place = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 0;
    place = (place ^ (place >>> 15)) & (size - 1);
    while (ends[place] !== 0 && (from[place] !== node || units[place] !== unit))
      place = (place + 1) & (size - 1);
    return place;
  };
  return {
    get: (node, unit) => ends[placeOf(node, unit)]!,
    set: (node, unit, to) => {
      const place = placeOf(node, unit);
      from[place] = node;
      units[place] = unit;
      ends[place] = to;
    },
  };
}
