/** What becomes of what is kept. */
import { RemovalPolicy } from 'aws-cdk-lib'

/**
 * It stays when it is replaced, when it leaves its template, and when its stack is deleted; but not when the deployment that
 * should have made it fails, for then its name would be taken and no later one could succeed.
 */
export const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
