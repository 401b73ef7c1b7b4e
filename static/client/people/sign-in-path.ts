import { signInRoute } from '../../../core/people/sign-in-paths.ts'

/** The address that signs the shopper in and leads back to `back`. */
export function signInPath(back: string): string {
  return `${signInRoute}?return=${encodeURIComponent(back)}`
}
