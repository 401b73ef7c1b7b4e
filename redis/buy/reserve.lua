#!lua flags=allow-key-locking
--[[
  reserve: take units of a sale for one order, once.

  KEYS[1] stock:{<sale>:0}           hash   left, tag, total, stockRevision, packedWindow, heldBack,
                                            settled; left/<id> and heldBack/<id> of each variant;
                                            @<shopper id> -> the shopper's record
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message as JSON
  ARGV[1] shopper                    @<shopper id>
  ARGV[2] tag                        of the facts by which the caller decided
  ARGV[3] quantity                   an integer above 0
  ARGV[4] order                      the order id without the sale's
  ARGV[5] first                      `<order>=<quantity>@<now>`, now in epoch ms
  ARGV[6] order message              as JSON
  ARGV[7] why not                    absent where a new shopper may have the order without a further
                                     check; `check`: it has a variant, or more units than the sale's
                                     maximum or limit; `shut`: only find the order, take nothing
  ARGV[8] variant                    the id of the variant that all units are of; absent in a sale
                                     without variants

  Reply {code, ...}, or for the two most frequent answers an integer, which is faster: what is left
  of a stock that the order was taken from, and -1 - left when it is sold out.
    1 reserved           left, and `gone`: nothing is left of the variant
    2 repeat             quantity, left, variant; the quantity is 0 when the units were released, and
                         then, as in a sale without variants, there is no variant
    3 stale-facts        tag, total, stockRevision, packedWindow as they are now; the caller decides
                         by them and asks again
    4 nothing            no such order, and none was to be made
    5 last-for-now       as 1, when nothing is left but units that are held back
   10 unknown-sale
   15 invalid-request    the quantity is over the sale's maximum, or the variant is unknown
   16 limit-reached      the shopper has the sale's limit, or 30 ended orders of the sale
   17 sold-out           left; negative when more is booked than exists; then what is left of the
                         variant, if that is too little
   18 unavailable        too few units are left, but units are held back that may be for sale again
   19 too-many-requests  ms until the shopper may try again

  Every script that changes total, stockRevision or packedWindow writes a new tag. So the caller
  knows them from its last call, decides by them whether the sale is open, and writes the message;
  while the tag is the same, that is still so. A new shopper who may have the units then costs one
  read and two writes.

  The repeat comes first: a reservation outlives the sale, and the same order always finds itself,
  so a shopper whose reply was lost may ask again. Nothing is taken before every check has passed.

  The last unit has one buyer: Redis runs nothing else beside a script
  (https://redis.io/docs/latest/develop/programmability/eval-intro/), and Upstash, by the flag above,
  nothing on the same keys (https://upstash.com/docs/redis/commands/scripting/eval). So the second of
  two orders reads what the first has left.

  An order has units of one variant (N1). The limit counts the units of all of a shopper's orders.

  Units that are held back (unfreeze.lua) are not sold, and nothing is sold out because of them, until
  it is `settled` that they are those of dead letters.

  A try counts when it takes units, or is refused for what the shopper asked (15, 16). The times at
  the head of the record are removed once they are older than the window. A caller whose clock is
  behind the latest time in the record counts as at that time, so no window has more tries than its
  limit.

  A record is `@<time>,<time> <order>=<quantity>@<time> <order>=0`: the times of refused tries and of
  released orders first, if there are any; then each order with its units and its time; a released
  one without. Its variant follows the time: `<order>=3@<time>/m`. A released order stays for
  ever: a repeat of its request must find it and take nothing.
  A shopper with 30 released orders can take no more: that bounds the record, and what each further
  call costs.
]]
local call, keys, argv = redis.call, KEYS, ARGV

local stored = call('HMGET', keys[1], argv[1], 'left', 'tag', 'heldBack', 'settled')
local mine, left, tag = stored[1], stored[2], stored[3]
-- Whether units that are held back, of the stock or of a variant, may be for sale again.
local function mayReturn(heldBack) return stored[5] ~= '1' and (heldBack or '0') ~= '0' end
if tag == argv[2] and not mine and not argv[7] then
  local rest = left - argv[3]
  local isHeld = rest <= 0 and mayReturn(stored[4])
  if rest < 0 and isHeld then return {18} end
  if rest < 0 and left + 0 >= 0 then return -1 - left end
  if rest < 0 then return {17, left} end
  call('HSET', keys[1], argv[1], argv[5], 'left', rest)
  call('HSET', keys[2], argv[4], argv[6])
  if isHeld then return {5, 0} end
  return rest
end

local order = argv[4]
if mine then
  -- Orders of one sale are equally long, so one can only be found where it begins.
  local _, stop = string.find(mine, order .. '=', 1, true)
  if stop then
    return {2, string.match(mine, '^%d+', stop + 1), left, string.match(mine, '^%d+@%d+/(%S+)', stop + 1)}
  end
end
if not tag then return {10} end
if tag ~= argv[2] then return {3, tag, unpack(call('HMGET', keys[1], 'total', 'stockRevision', 'packedWindow'))} end
if argv[7] == 'shut' then return {4} end

local packedWindow = call('HGET', keys[1], 'packedWindow')
local max, limit, mostTries, window = string.match(packedWindow, '(%d+) (%d+) (%d+) (%d+)$')
local wanted, at = tonumber(argv[3]), tonumber(string.match(argv[5], '%d+$'))
local before, orders = string.match(mine or '', '^@(%S*) ?(.*)$')
if not before then before, orders = '', mine or '' end
local times, bought, mostEnded = {}, 0, 30
for time in string.gmatch(before, '%d+') do times[#times + 1] = tonumber(time) end
for units, time in string.gmatch(orders, '=(%d+)@(%d+)') do
  times[#times + 1], bought = tonumber(time), bought + units
end
local _, ended = string.gsub(orders, '=0', '')
local asksTooMuch = wanted > tonumber(max)
local variant, leftOf, heldBackOf, isShort, isHeld = argv[8], nil, nil, false, false
if variant then
  leftOf, heldBackOf = unpack(call('HMGET', keys[1], 'left/' .. variant, 'heldBack/' .. variant))
  if not leftOf then
    asksTooMuch = true
  elseif leftOf - wanted < 0 then
    if mayReturn(heldBackOf) then isHeld = true else isShort = true end
  end
end
local isRefused = asksTooMuch or bought + wanted > tonumber(limit) or ended >= mostEnded
local rest = left - wanted
local isLast = rest <= 0 and mayReturn(stored[4])
if not isRefused and not isShort and (isHeld or isLast and rest < 0) then return {18} end
if not isRefused and isShort then return {17, left, leftOf} end
if not isRefused and rest < 0 then return {17, left} end

table.sort(times)
at = math.max(at, times[#times] or 0)
local tries, kept = {}, {}
for _, time in ipairs(times) do
  if at - time < tonumber(window) then tries[#tries + 1] = time end
end
local over = #tries - mostTries + 1
if over > 0 then return {19, tries[over] + window - at} end

for time in string.gmatch(before, '%d+') do
  if at - time < tonumber(window) then kept[#kept + 1] = time end
end
if isRefused then kept[#kept + 1] = string.format('%d', at) end
local words = {}
if #kept > 0 then words[1] = '@' .. table.concat(kept, ',') end
if orders ~= '' then words[#words + 1] = orders end
if isRefused then
  call('HSET', keys[1], argv[1], table.concat(words, ' '))
  if asksTooMuch then return {15} end
  return {16}
end
words[#words + 1] = string.format('%s=%d@%d', order, wanted, at) .. (variant and '/' .. variant or '')
call('HSET', keys[1], argv[1], table.concat(words, ' '), 'left', rest)
call('HSET', keys[2], order, argv[6])
local isGone = false
if variant then
  call('HSET', keys[1], 'left/' .. variant, leftOf - wanted)
  isGone = leftOf - wanted == 0 and not mayReturn(heldBackOf)
end
if isLast and isGone then return {5, 0, 'gone'} end
if isLast then return {5, 0} end
if isGone then return {1, rest, 'gone'} end
return rest
