#!lua flags=allow-key-locking
--[[
  restore-claims: remember claims of which the table knows, whatever Redis has forgotten.

  KEYS[1] stock:{<sale>:0}            hash   total
  KEYS[2] stock:{<sale>:0}:buyers     hash   shopper id -> `<rank> <number> <amount> <currency> <claimed at> <request id>`
  ARGV[1] claims                      at most 200 lines `<shopper id> <number> <amount> <currency> <claimed at>`

  Reply {code, claims}
    1 restored        how many of the shoppers had none
   10 unknown-sale    no stock on the shelf; no count

  A claim that is there stays as it is: a shopper has one in a sale, and Redis knew it first. A restored one has the rank 0 and
  a hyphen for its request id, for nobody needs either any more.
]]
if redis.call('HEXISTS', KEYS[1], 'total') == 0 then return {10} end
local restored = 0
for shopper, claim in string.gmatch(ARGV[1], '(%S+) (%d+ %d+ %u+ %d+)') do
  restored = restored + redis.call('HSETNX', KEYS[2], shopper, '0 ' .. claim .. ' -')
end
return {1, restored}
