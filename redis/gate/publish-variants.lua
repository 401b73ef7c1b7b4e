#!lua flags=allow-key-locking
--[[
  publish-variants: record at the gate of which variants of a sale nothing is left.

  KEYS[1] gate:{<sale>}     hash   soldOutVariants
  ARGV[1] revision          the stock's count of stockRevision
  ARGV[2] variants          their ids, separated by spaces

  Reply {code}
    1 published
    2 unchanged     they are there, or a later revision is

  `soldOutVariants` is `<revision> <id> <id>`. Units that return to an empty variant make a new
  revision of the stock, so within one revision a variant that is sold out stays sold out: ids of
  several calls add up. The gate ignores a list from before the last restock that it knows of.
]]
local revision, known = string.match(redis.call('HGET', KEYS[1], 'soldOutVariants') or '-1', '^(%S+)(.*)$')
if tonumber(revision) > tonumber(ARGV[1]) then return {2} end
local ids = tonumber(revision) == tonumber(ARGV[1]) and known or ''
local isNew = tonumber(revision) < tonumber(ARGV[1])
for id in string.gmatch(ARGV[2], '%S+') do
  if not string.find(ids .. ' ', ' ' .. id .. ' ', 1, true) then ids, isNew = ids .. ' ' .. id, true end
end
if not isNew then return {2} end
redis.call('HSET', KEYS[1], 'soldOutVariants', ARGV[1] .. ids)
return {1}
