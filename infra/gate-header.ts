/**
 * How long the settings of the gate may be. CloudFront allows a value of a custom header 1,783 characters, and
 * names and values of all custom headers together 10,240
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html). It does not say
 * whether that is for an origin or for a distribution, so the sum over all origins behind the gate stays below.
 */
import { configHeader } from '../edge/config.ts'
import { httpFunctions } from '../system/functions.ts'

const maxValueLength = 1783
/** Names and values of all custom headers of the distribution. */
export const maxHeadersLength = 10_240

/** The longest value that all origins may repeat. */
const maxSettingsLength = Math.min(
  maxValueLength,
  Math.floor(maxHeadersLength / httpFunctions.length) - configHeader.length,
)

/** The most that the settings in templates take of it, */
export const openSettingsLength = 192
/** and the most for the secret ones, behind a tilde. */
export const secretSettingsLength = maxSettingsLength - openSettingsLength - 1
