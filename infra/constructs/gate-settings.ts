/**
 * The settings of the gate, which come to it in one custom header of the origins: no client can set it, and the gate reads it
 * with every request. Whoever may read the distribution's configuration may read it, so the tokens in it are of Redis users
 * of the edge's own (docs/deploy.md), who can touch no stock.
 *
 * CloudFormation resolves a reference to a secret after all functions of a template ran, so it could not encode what the
 * secret holds: that is stored encoded.
 */
import { configHeader, encodeConfig, openSettingsLength } from '../../edge/config.ts'
import type { StageSettings } from '../settings/stage.ts'
import { secretField } from './secrets.ts'

/** Header name and value, for every origin that stands behind the gate. Throws RangeError when the header would be too long. */
export function gateSettings({
  name,
  signIn: { issuer, audience },
  domain,
  edge: { challengeCost },
  secretsRevision,
}: StageSettings): Record<string, string> {
  // A distribution cannot name its own address in its own settings; the gate knows what `self` is.
  const origins = ['self', ...(domain === undefined ? [] : [`https://${domain.name}`])]
  // The revision means nothing to the gate. It changes the header, so that CloudFormation reads the secret again.
  const open = encodeConfig({ issuer, audience, origins, challengeCost, secretsRevision })
  if (open.length > openSettingsLength) {
    throw new RangeError(
      `the settings of the gate are longer than the ${openSettingsLength} characters they may take`,
    )
  }
  return { [configHeader]: `${open}~${secretField(name, 'edge', 'config')}` }
}
