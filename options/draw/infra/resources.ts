/** What the functions may do with the files of draws and with Redis. */
import { grantSecrets, grantStock } from '../../../infra/constructs/secrets.ts'
import type { OptionResources } from '../../../infra/option-resources.ts'

const folder = 'draw'

const draws: OptionResources = (_, { name: stage }) => ({
  /** An answer about an entry has its rank. */
  delivery(fn, { site }) {
    site.grantReadFiles(fn, folder)
  },
  draws(fn, { site }) {
    grantStock(stage, fn)
    grantSecrets(stage, fn, 'gate')
    site.grantFiles(fn, folder)
  },
})

export const resources = [draws] as const
