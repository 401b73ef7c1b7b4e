'use client'

import { useState } from 'react'
import { Sale } from './sale.jsx'

/** A sale, and a line of this site once the customer has a unit. */
export function Order({ url, sale }) {
  const [won, setWon] = useState()
  return (
    <>
      <Sale url={url} sale={sale} onWon={setWon}>
        Buy the mug
      </Sale>
      {won && <p>Your order: {won.orderId}</p>}
    </>
  )
}
