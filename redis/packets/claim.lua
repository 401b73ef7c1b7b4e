#!lua flags=allow-key-locking
--[[
  claim: give one red packet of a sale to a shopper, once.

  KEYS[1] stock:{<sale>:0}            hash   total, stockRevision, kind, flag, frozen, opensAt, closesAt,
                                             followed, startToken, heldBack, settled
  KEYS[2] stock:{<sale>:0}:packets    list   `<rank> <number> <amount> <currency>`, the next one to
                                             be claimed last
  KEYS[3] stock:{<sale>:0}:claims     hash   shopper id -> `<rank> <number> <amount> <currency>
                                             <claimed at> <request id>`
  KEYS[4] stock:{<sale>:0}:outbox     hash   shopper id -> the same, until it is known to be in the
                                             queue
  ARGV[1] shopper id
  ARGV[2] start token
  ARGV[3] now                         epoch ms
  ARGV[4] claimed at and request id   as stored, with a space before each

  Reply {code, ...}
    1 claimed         the packet, stockRevision, total, packets that may be claimed again
    2 repeat          the shopper's own claim as stored
   10 unknown-sale
   11 not-started
   12 paused
   13 ended
   14 stale-page
   17 sold-out        stockRevision, total
   18 unavailable     the stock is frozen, or packets are missing that are neither claimed nor held
                      back, or held back and may be claimed again

  The repeat comes first: a claim outlives the sale, and a shopper whose reply was lost asks again.

  The rank of a packet is how many are claimed or held back once it is claimed: load-packets.lua and
  unhold-packets.lua put it in the list so. A claim need not count, and is two reads, the packet,
  and two writes.
]]
local call, keys, argv = redis.call, KEYS, ARGV

local shopperId = argv[1]
local mine = call('HGET', keys[3], shopperId)
if mine then return {2, mine} end

local names = {'total', 'stockRevision', 'kind', 'flag', 'frozen', 'opensAt', 'closesAt', 'followed', 'startToken', 'heldBack',
  'settled'}
local sale = {}
for at, value in ipairs(call('HMGET', keys[1], unpack(names))) do sale[names[at]] = value end
local stockRevision, total, now = sale.stockRevision, sale.total, tonumber(argv[3])
if not total then return {10} end
local heldBack = tonumber(sale.heldBack or '0')
local returning = sale.settled == '1' and 0 or heldBack

local isOver = now >= tonumber(sale.closesAt)
if sale.frozen then return {18} end
if sale.flag == 'closed' or isOver and sale.followed ~= '1' then return {13} end
if sale.flag == 'paused' then return {12} end
if sale.flag == 'off' or isOver or now < tonumber(sale.opensAt) then return {11} end
if sale.startToken == '' or sale.startToken ~= argv[2] or sale.kind ~= 'red-packet' then return {14} end

local packet = call('RPOP', keys[2])
if not packet then
  if call('HLEN', keys[3]) + heldBack < tonumber(total) then return {18} end
  if returning > 0 then return {18} end
  return {17, stockRevision, total}
end
local claim = packet .. argv[4]
call('HSET', keys[3], shopperId, claim)
call('HSET', keys[4], shopperId, claim)
return {1, packet, stockRevision, total, returning}
