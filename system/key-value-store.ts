/**
 * Quotas of a CloudFront KeyValueStore
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html#limits-keyvaluestores).
 */
export const keyValueQuotas = {
  keyBytes: 512,
  valueBytes: 1024,
  storeBytes: 5 * 1024 * 1024,
  /** An update of 50 keys cannot reach the other limit of an update, 3 MB. */
  keysPerUpdate: 50,
} as const
