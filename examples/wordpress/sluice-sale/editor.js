/** The block in the editor: one field for the id of the sale. The page is rendered by sluice-sale.php. */
{
  const { blockEditor, blocks, components, element, i18n } = window.wp
  const help = i18n.__(
    'As in its address: mug for /sales/mug/. The sale is shown on the page, not here.',
    'sluice-sale',
  )

  const edit = ({ attributes, setAttributes }) =>
    element.createElement(
      'div',
      blockEditor.useBlockProps(),
      element.createElement(components.TextControl, {
        label: i18n.__('Id of the sale', 'sluice-sale'),
        help,
        value: attributes.sale,
        onChange: (sale) => setAttributes({ sale: sale.trim() }),
      }),
    )

  blocks.registerBlockType('sluice/sale', { edit, save: () => null })
}
