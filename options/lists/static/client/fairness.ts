/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/static/client/fairness.tsx'

export const fairnessEntries = [...draw.fairnessEntries] as const
