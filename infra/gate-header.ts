/**
 * The gate reads its settings from one custom header of the origins, with every request; no client can set it. The header is
 * readable in the distribution's configuration, so its Redis tokens belong to users without access to the stock
 * (docs/how-to/deploy.md).
 *
 * CloudFormation resolves a reference to a secret after all functions of a template, so it cannot encode the value: the secret
 * holds it encoded.
 *
 * CloudFront limits the value of a custom header to 1,783 characters, and names and values of all custom headers together to
 * 10,240 (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html). It does not say whether
 * that applies to an origin or to a distribution, so the sum over all origins behind the gate stays below.
 */
import { configHeader, encodeConfig } from '../edge/config.ts'
import { httpFunctions } from '../system/functions.ts'
import { secretField } from './constructs/secrets.ts'
import type { StageSettings } from './settings/stage.ts'

/** Returns name and value of the header, for each origin behind the gate. @throws RangeError when it would be too long */
export function gateSettings({
  name,
  session: { issuer, audience },
  domain,
  edge: { challengeCost },
  secretsRevision,
}: StageSettings): Record<string, string> {
  // Sign-in returns to the first origin. A distribution's settings cannot hold its own address; the gate resolves `self`.
  const origins = [...(domain === undefined ? [] : [`https://${domain.name}`]), 'self']
  // The gate ignores the revision, which changes the header so that CloudFormation reads the secret again.
  const open = encodeConfig({ issuer, audience, origins, challengeCost, secretsRevision })
  if (open.length > openSettingsLength) {
    throw new RangeError(`the settings of the gate are longer than the ${openSettingsLength} characters they may take`)
  }
  return { [configHeader]: `${open}~${secretField(name, 'edge', 'config')}` }
}

const maxValueLength = 1783
/** The limit of names and values of all custom headers of the distribution. */
export const maxHeadersLength = 10_240

/** The maximum length of a value that all origins repeat. */
const maxSettingsLength = Math.min(
  maxValueLength,
  Math.floor(maxHeadersLength / httpFunctions.length) - configHeader.length,
)

/** The maximum lengths of the settings in templates, and of the secret ones after a tilde. */
export const openSettingsLength = 192
export const secretSettingsLength = maxSettingsLength - openSettingsLength - 1
