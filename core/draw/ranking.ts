/** The ranks of a draw: a hash of each party by a seed that no one can know before the beacon (docs/reference/draw.md, "Ranks"). */
import { compareKeys, numbersByKey } from './bytes.ts'
import { groupBytes, groupOf, idBytes, idOf, idsOf, type RecordList, type SortedRecords, triesOf } from './record.ts'
import { type BytesAt, hashBytes, hmacSha256, sha256 } from './sha256.ts'

const seedPrefix = /* @__PURE__ */ new TextEncoder().encode('sluice-draw-1')

export function seedOfDraw(rulesHash: Uint8Array, root: Uint8Array, randomness: Uint8Array): Uint8Array {
  return sha256(seedPrefix, rulesHash, root, randomness)
}

/**
 * Entries that get units together or not at all. Party `p` has the records `members[starts[p]]` to
 * `members[starts[p + 1] - 1]`, by ascending id; parties are in the order of their lowest ids.
 */
export type Parties = { list: RecordList; count: number; starts: Uint32Array; members: Uint32Array }

/** Groups the standing entries. An entry without a group is a party by itself. */
export function partiesOf({ list, standing }: SortedRecords): Parties {
  const partyOfGroup = new Map<string, number>()
  const partyOf = new Uint32Array(standing.length)
  const sizes = new Uint32Array(standing.length + 1)
  let count = 0
  standing.forEach((record, place) => {
    const group = groupOf(list, record)
    const name = group === undefined ? undefined : String.fromCharCode(...group)
    const known = name === undefined ? undefined : partyOfGroup.get(name)
    const party = known ?? count
    if (known === undefined) count += 1
    if (name !== undefined) partyOfGroup.set(name, party)
    partyOf[place] = party
    sizes[party] = (sizes[party] ?? 0) + 1
  })
  const starts = new Uint32Array(count + 1)
  for (let party = 0; party < count; party += 1) {
    starts[party + 1] = (starts[party] ?? 0) + (sizes[party] ?? 0)
  }
  const [members, next] = [new Uint32Array(standing.length), starts.slice()]
  standing.forEach((record, place) => {
    const party = partyOf[place] ?? 0
    const at = next[party] ?? 0
    members[at] = record
    next[party] = at + 1
  })
  return { list, count, starts, members }
}

/** The records of a party, by ascending id. */
export function membersOf({ starts, members }: Parties, party: number): Uint32Array {
  return members.subarray(starts[party], starts[party + 1])
}

/** The size of the largest party. */
export function largestParty({ starts, count }: Parties): number {
  let largest = 0
  for (let party = 0; party < count; party += 1) {
    largest = Math.max(largest, (starts[party + 1] ?? 0) - (starts[party] ?? 0))
  }
  return largest
}

/** Writes the score of a name with so many tries to a place. */
export type Scorer = (name: Uint8Array, tries: number, to: BytesAt) => void

/**
 * The score of a name, the id of an entry or of a group: the lowest of the HMACs of its tries. With `scoreBytes` less
 * than 32, for tests of ties, the other bytes are 0.
 */
export function scorer(seed: Uint8Array, scoreBytes = hashBytes): Scorer {
  const [ofEntry, ofGroup] = [idBytes, groupBytes].map((bytes) => hmacSha256(seed, bytes + 1))
  const message = new Uint8Array(idBytes + 1)
  const other = new Uint8Array(hashBytes)
  return (name, tries, to) => {
    const code = name.length === idBytes ? ofEntry : ofGroup
    message.set(name)
    message[name.length] = 0
    code?.(message, to)
    for (let j = 1; j < tries; j += 1) {
      message[name.length] = j
      code?.(message, [other, 0])
      if (isLower(other, to)) to[0].set(other, to[1])
    }
    to[0].fill(0, to[1] + scoreBytes, to[1] + hashBytes)
  }
}

function isLower(score: Uint8Array, [than, at]: BytesAt): boolean {
  for (let i = 0; i < hashBytes; i += 1) {
    const difference = (score[i] ?? 0) - (than[at + i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** Parties by rank: `byRank[0]` is the first party. `scores` has 32 bytes for each party, by its number. */
export type Ranking = Parties & { byRank: Uint32Array; scores: Uint8Array }

/**
 * The number of the batch in which each entrant joined, by the number of every record: that of the first record since the
 * entrant last left. `counts` are those of the heads.
 */
export function batchesOfJoining({ list, all }: SortedRecords, counts: readonly number[]): Uint32Array {
  const ids = idsOf(list)
  const batchOf = new Uint32Array(list.count)
  let from = 0
  for (const [batch, count] of counts.entries()) {
    batchOf.fill(batch, from, count)
    from = count
  }
  const joinedIn = new Uint32Array(list.count)
  let joined: number | undefined
  all.forEach((record, place) => {
    const before = all[place - 1]
    const isOther = before === undefined || compareKeys(ids, before, ids, record) !== 0
    if (isOther || triesOf(list, record) === 0) joined = undefined
    if (triesOf(list, record) > 0) joined ??= batchOf[record]
    joinedIn[record] = joined ?? 0
  })
  return joinedIn
}

/** `joinedIn`, for ranks by the time of joining, comes before the score. `onProgress` gets the number of parties scored. */
type RankOptions = { joinedIn?: Uint32Array | undefined; onProgress?: (done: number) => void }

/** The bytes of the batch before those of the score. */
const batchBytes = 4

/** Ranks by score, the lowest first, equal scores by the lowest id. */
export function rankParties(parties: Parties, score: Scorer, { joinedIn, onProgress }: RankOptions = {}): Ranking {
  const { list, count, starts, members } = parties
  const scores = new Uint8Array(count * hashBytes)
  const view = new DataView(scores.buffer)
  for (let party = 0; party < count; party += 1) {
    const first = members[starts[party] ?? 0] ?? 0
    const name = groupOf(list, first) ?? idOf(list, first)
    const at = party * hashBytes
    score(name, fewestTries(parties, party), [scores, at])
    if (joinedIn !== undefined) {
      scores.copyWithin(at + batchBytes, at, at + hashBytes - batchBytes)
      view.setUint32(at, joinedIn[first] ?? 0)
    }
    if (party % 65_536 === 0) onProgress?.(party)
  }
  const byRank = numbersByKey({ bytes: scores, stride: hashBytes, keyBytes: hashBytes }, count)
  return { ...parties, byRank, scores }
}

/** A group has the tries of its member with the fewest. */
function fewestTries(parties: Parties, party: number): number {
  let fewest = Number.POSITIVE_INFINITY
  for (const member of membersOf(parties, party)) fewest = Math.min(fewest, triesOf(parties.list, member))
  return fewest
}
