/** The page of the endpoints of events behind "Settings" of the console. */
import type { SettingsPage } from '../../../../../console/view.ts'

export const settingsPages = [
  {
    name: 'events',
    needs: 'listEventEndpoints',
    load: async () => (await import('./events-view.tsx')).Events,
  },
] as const satisfies readonly SettingsPage[]
