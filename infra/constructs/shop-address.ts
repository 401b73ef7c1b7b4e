/**
 * The https address of the shop. Without a domain CloudFront chooses it, after the stacks `data` and `app` exist: there it is
 * the parameter `ShopUrl`, which `npm run deploy` sets to the output of the stack `edge`.
 */
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { StageSettings } from '../settings/stage.ts'

/** Returns the address of the shop. Call it once in a stack. */
export function shopAddress(scope: Construct, { domain }: Pick<StageSettings, 'domain'>): string {
  if (domain !== undefined) return `https://${domain.name}`
  return new CfnParameter(Stack.of(scope), 'ShopUrl', {
    description: 'Address of the shop',
    // Until then neither sign-in nor payment can return; `.invalid` is never registered (RFC 2606).
    default: 'https://shop.invalid',
    allowedPattern: '^https://[a-z0-9.-]+$',
  }).valueAsString
}
