/** Why a change of an entry, or of a draw, is refused. */

export const refusals = {
  'entries-not-open': 'Entries open at {at}.',
  'entries-closed': 'Entries closed at {at}.',
  'changes-used': 'This entry was changed {limit} times. It stays as it is.',
  'draw-fixed': 'The rules of the draw are published, so “{field}” can’t be changed.',
} as const
