/** The receiver of events on this machine. */
import type { LocalPart } from '../../../local/local-part.ts'
import { busPrefix, createReceiver, receiverPath } from './receiver/receiver.ts'

export const localParts = {
  receiver: {
    ...{ title: 'Receiver', note: 'events to a system of your own', path: receiverPath, start: createReceiver },
    environment: (shopUrl: string) => ({
      ...{ SENDS_EVENTS: 'yes', EVENT_BUS: 'sluice-local' },
      AWS_ENDPOINT_URL_EVENTBRIDGE: shopUrl + busPrefix,
    }),
  },
} as const satisfies Record<string, LocalPart>
