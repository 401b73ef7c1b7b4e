#!lua flags=allow-key-locking
--[[
  reserve: take units of a sale for one order, once.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, stockRevision, packedWindow
  KEYS[2] stock:{<sale>:0}:buyers    hash   shopper id -> `@<time>,<time>` and `<order
                                            id>=<quantity>`, separated by spaces
  KEYS[3] stock:{<sale>:0}:holds     hash   order id -> `<quantity> <shopper id> <reserved at>`
  KEYS[4] stock:{<sale>:0}:outbox    hash   order id -> order message as JSON
  ARGV[1] shopper id
  ARGV[2] start token                with a space before and behind it
  ARGV[3] now                        epoch ms, 15 digits wide
  ARGV[4] quantity                   an integer
  ARGV[5] order id
  ARGV[6] the members of the order message that only the caller knows, as JSON without the braces

  Reply {code, ...}
    1 reserved          remaining, stockRevision, epoch, booked
    2 repeat            remaining, quantity; 0 when the units were released
   10 unknown-sale
   11 not-started
   12 paused
   13 ended
   14 stale-page
   15 invalid-request   the quantity is below 1 or over the sale's maximum
   16 limit-reached     the shopper has the sale's limit, or 30 ended orders of the sale
   17 sold-out          remaining, stockRevision, booked
   18 unavailable       the stock is frozen while it is recovered
   19 too-many-requests ms until the shopper may try again

  remaining is -1 for an unlimited stock. A missing key is an unknown sale, never an unlimited one.

  The repeat comes first: a reservation outlives the sale, and the same order always finds itself,
  so a shopper whose reply was lost may ask again. Nothing is taken before every check has passed.

  A try counts when it takes units, or is refused for what the shopper asked (15 over the maximum,
  16). The times of the counted tries stand first in the buyer's field, except those older than the
  window. A clock behind the last of them counts as that time, so times only rise and no window
  holds more than its limit.

  A released order stays in the buyer's field with a quantity of 0 for ever: a repeat of its request
  must find it and take nothing. So that the field cannot grow without end, a shopper with 30 of
  them can take no more.

  packedWindow is `<last> <opens> <token> <epoch> <max> <limit> <tries> <window ms>` while the flag
  is on and `<last> <opens>!<flag> ...` otherwise; last and opens are 15 digits wide, so the token
  stands at 33. A longer text is greater than its own beginning: `now > packedWindow` is true
  exactly when now is later than last. Digits sort alike in every locale. `<last>+<opens>` says that
  another window follows: after last the sale waits for that one.
]]
local call, keys, argv = redis.call, KEYS, ARGV

local mine = call('HGET', keys[2], argv[1])
local stock = call('HMGET', keys[1], 'total', 'booked', 'stockRevision', 'packedWindow')
local total, booked, packedWindow = stock[1], stock[2], stock[4]
local unlimited, remaining = total == '-1', 0
if unlimited then
  remaining = -1
elseif total then
  remaining = total - booked
  -- Counters that were tampered with must not look like an unlimited stock.
  if remaining < 0 then remaining = 0 end
end

local orderId = argv[5]
if mine then
  -- Order ids of one sale are equally long, so one can only be found where it begins.
  local _, stop = string.find(mine, orderId .. '=', 1, true)
  if stop then return {2, remaining, string.match(mine, '^%d+', stop + 1)} end
end

if not total then return {10} end
local token, now = argv[2], argv[3]
if now > packedWindow or now < string.sub(packedWindow, 17, 31) or string.find(packedWindow, token, 32, true) ~= 32 then
  local flag = string.match(packedWindow, '^!(%l+)', 32)
  if flag == 'frozen' then return {18} end
  local isOver = now > packedWindow
  if flag == 'closed' or isOver and string.sub(packedWindow, 16, 16) ~= '+' then return {13} end
  if flag == 'paused' then return {12} end
  if flag == 'off' or isOver or now < string.sub(packedWindow, 17, 31) then return {11} end
  return {14}
end

local mostEnded = 30
local quantity, asksTooMuch, hasTooMuch, mostTries, window = argv[4]
-- One unit for a new buyer is within any limit a sale can have.
if mine or quantity ~= '1' then
  local max, limit
  max, limit, mostTries, window = string.match(packedWindow, '^%d+ (%d+) (%d+) (%d+) (%d+)', 32 + #token)
  local wanted, bought, ended = tonumber(quantity), 0, 0
  if wanted < 1 then return {15} end
  if mine then
    for units in string.gmatch(mine, '=(%d+)') do
      bought = bought + units
      if units == '0' then ended = ended + 1 end
    end
  end
  asksTooMuch = wanted > tonumber(max)
  hasTooMuch = bought + wanted > tonumber(limit) or ended >= mostEnded
end

local isRefused = asksTooMuch or hasTooMuch
if not unlimited and not isRefused then
  if remaining < tonumber(quantity) then return {17, remaining, stock[3], booked} end
  remaining = remaining - quantity
end

local shopperId, times, orders = argv[1], now, ''
if mine then
  local before, rest = string.match(mine, '^@(%S+)(.*)$')
  orders = rest or ' ' .. mine
  if before then
    local at, kept = math.max(now, string.match(before, '%d+$')), {}
    for time in string.gmatch(before, '%d+') do
      if at - time < tonumber(window) then kept[#kept + 1] = time end
    end
    local over = #kept - mostTries + 1
    if over > 0 then return {19, kept[over] + window - at} end
    kept[#kept + 1] = string.format('%015d', at)
    times = table.concat(kept, ',')
  end
end
if isRefused then
  call('HSET', keys[2], shopperId, '@' .. times .. orders)
  if asksTooMuch then return {15} end
  return {16}
end

local epoch = string.match(packedWindow, '^%d+', 32 + #token)
booked = call('HINCRBY', keys[1], 'booked', quantity)
call('HSET', keys[2], shopperId, '@' .. times .. orders .. ' ' .. orderId .. '=' .. quantity)
call('HSET', keys[3], orderId, quantity .. ' ' .. shopperId .. ' ' .. now)
call('HSET', keys[4], orderId, '{"orderId":"' .. orderId .. '","shopperId":"' .. shopperId ..
  '","quantity":' .. quantity .. ',' .. argv[6] .. ',"epoch":' .. epoch .. '}')
return {1, remaining, stock[3], epoch, booked}
