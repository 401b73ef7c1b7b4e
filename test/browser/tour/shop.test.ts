/** How the pages for shoppers look, in every state, in both languages, in light and dark. */
import { openShop } from '../shop.ts'
import { brandPlaces } from './brand-places.ts'
import { orderPlaces } from './order-places.ts'
import { plainPlaces } from './plain-places.ts'
import { salePlaces } from './sale-places.ts'
import { tour } from './tour.ts'

const shop = await openShop()

tour([
  ...(await salePlaces(shop)),
  ...(await orderPlaces(shop)),
  ...(await brandPlaces(shop)),
  ...plainPlaces(shop),
])
