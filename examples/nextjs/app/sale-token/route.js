import { auth } from '@/auth'
import { customerToken } from './token.js'

/** `GET /sale-token`: the token of the customer who is signed in; 401 for a guest. */
export async function GET() {
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain' }
  const session = await auth()
  if (!session?.user?.id) return new Response(null, { status: 401, headers })
  return new Response(customerToken(session.user.id), { headers })
}
