import { connection } from 'next/server'
import { Order } from './order.jsx'

/** The page of one sale: `SALE` is its id. */
export default async function Page() {
  // The policy has a new nonce in each answer, so the page is rendered for each request.
  await connection()
  const { SLUICE_URL: url, SALE: sale = 'stoneware-mug' } = process.env
  return (
    <main>
      <h1>My shop</h1>
      <Order url={url} sale={sale} />
    </main>
  )
}
