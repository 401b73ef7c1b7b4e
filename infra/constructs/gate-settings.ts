/**
 * The gate reads its settings from one custom header of the origins, with every request; no client
 * can set it. The header is readable in the distribution's configuration, so its Redis tokens
 * belong to users without access to the stock (docs/how-to/deploy.md).
 *
 * CloudFormation resolves a reference to a secret after all functions of a template, so it could
 * not encode the value: the secret holds it encoded.
 */
import { configHeader, encodeConfig } from '../../edge/config.ts'
import { openSettingsLength } from '../gate-header.ts'
import type { StageSettings } from '../settings/stage.ts'
import { secretField } from './secrets.ts'

/**
 * Name and value of the header, for every origin behind the gate.
 * @throws RangeError when the header would be too long
 */
export function gateSettings({
  name,
  session: { issuer, audience },
  domain,
  edge: { challengeCost },
  secretsRevision,
}: StageSettings): Record<string, string> {
  // The first one is where sign-in leads back to. A distribution's settings cannot hold its own address;
  // the gate resolves `self`.
  const origins = [...(domain === undefined ? [] : [`https://${domain.name}`]), 'self']
  // The gate ignores the revision. It changes the header, so that CloudFormation reads the secret
  // again.
  const open = encodeConfig({ issuer, audience, origins, challengeCost, secretsRevision })
  if (open.length > openSettingsLength) {
    throw new RangeError(`the settings of the gate are longer than the ${openSettingsLength} characters they may take`)
  }
  return { [configHeader]: `${open}~${secretField(name, 'edge', 'config')}` }
}
