/** The page of event endpoints under "Settings" of the console. */
import type { ConsolePartsSeam } from '../../../console/seams.ts'

export const consoleParts = {
  auditFacts: ['endpointName', 'url', 'types', 'sales', 'enabled'],
  settings: { events: async () => (await import('./events-view.tsx')).Events },
} as const satisfies ConsolePartsSeam
