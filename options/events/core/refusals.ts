/** Why a change of endpoints is refused. */

export const refusals = {
  'events-off': 'This stage sends no events: its settings must say sendsEvents.',
  'endpoints-full': 'There are {limit} endpoints already. Delete one first.',
  'unknown-endpoint': 'There is no endpoint of this name.',
  'unknown-delivery': 'There is no record of this delivery.',
} as const
