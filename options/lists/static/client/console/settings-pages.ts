/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../../../events/static/client/console/settings-pages.ts'

export const settingsPages = /* @__PURE__ */ (() => ([...events.settingsPages] as const))()
