'use client'

import Script from 'next/script'
import { useEffect, useRef } from 'react'

/**
 * A sale of Sluice. `url` is the address of the sales, `sale` an id, `children` the text of the link for visitors without
 * JavaScript. `onWon` receives `{saleId, orderId, orderUrl}` once a unit is the customer's.
 */
export function Sale({ url, sale, onWon, children }) {
  const element = useRef(null)
  // React attaches no listener to a custom element that the server rendered (https://github.com/react/react/issues/35446).
  useEffect(() => {
    const { current } = element
    const report = ({ detail }) => onWon?.(detail)
    current?.addEventListener('sluice-won', report)
    return () => current?.removeEventListener('sluice-won', report)
  }, [onWon])
  return (
    <>
      <Script src={`${url}/elements.js`} crossOrigin="anonymous" />
      <sluice-sale ref={element} sale={sale} token-from="/sale-token">
        <a href={`${url}/sales/${sale}/`}>{children}</a>
      </sluice-sale>
    </>
  )
}
