/**
 * The settings of the gate, which come to it as custom headers of the origins: no client can set them, and it reads them with
 * every request. Whoever may read the distribution's configuration may read them, so the token among them is one of the edge's
 * own Redis user (docs/deploy.md), who can touch no stock.
 */
import { configPrefix } from '../../edge/config.ts'
import type { StageSettings } from '../settings/stage.ts'
import { secretField } from './secrets.ts'

/** Header names and values, for every origin that stands behind the gate. */
export function gateSettings({
  name,
  signIn,
  domain,
  edge,
  secretsRevision,
}: StageSettings): Record<string, string> {
  const origins = ['self', ...(domain === undefined ? [] : [`https://${domain.name}`])]
  const settings = {
    'gate-url': secretField(name, 'edge', 'gateUrl'),
    'gate-token': secretField(name, 'edge', 'gateToken'),
    'public-key': secretField(name, 'edge', 'publicKey'),
    issuer: signIn.issuer,
    audience: signIn.audience,
    // A distribution cannot name its own address in its own settings; the gate knows what `self` is.
    origins: origins.join(','),
    'challenge-key': secretField(name, 'edge', 'challengeKey'),
    'challenge-cost': String(edge.challengeCost),
    'secrets-revision': String(secretsRevision),
  }
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [configPrefix + key, value]))
}
