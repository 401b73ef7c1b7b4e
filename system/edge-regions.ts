/**
 * The regions of Lambda@Edge, in which replicas of the gate run
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-edge-permissions.html).
 */
export const edgeRegions = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ap-south-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
  'sa-east-1',
] as const
export type EdgeRegion = (typeof edgeRegions)[number]

/** The region that CloudFront requires for the resources of a distribution, from which functions are replicated. */
export const edgeHome: EdgeRegion = 'us-east-1'

/** True when replicas of the gate run in `region` and share its quotas with other functions. */
export const isEdgeRegion = (region: string): boolean => edgeRegions.some((one) => one === region)
