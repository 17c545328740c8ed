// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC721/ERC721Upgradeable.sol";

/// @title A collection of single tokens, used as a clone.
/// @notice Token ids are chosen by the minter. Minting one id a second time reverts, so a delivery that is
/// repeated by mistake can never hand out two tokens.
contract Collection721 is ERC721Upgradeable {
    struct Mint {
        address to;
        uint256 tokenId;
        string uri;
    }

    address public minter;
    bool public transferable;
    /// @notice The most tokens there can ever be; 0 means no limit.
    uint256 public supplyLimit;
    uint256 public totalMinted;
    mapping(uint256 tokenId => string uri) private _uris;

    error NotMinter(address caller);
    error SupplyLimitReached(uint256 limit);
    error NotTransferable(uint256 tokenId);

    constructor() {
        _disableInitializers();
    }

    function initialize(
        string calldata name,
        string calldata symbol,
        address minter_,
        uint256 supplyLimit_,
        bool transferable_
    ) external initializer {
        __ERC721_init(name, symbol);
        minter = minter_;
        supplyLimit = supplyLimit_;
        transferable = transferable_;
    }

    /// @notice Mints every token of the list, or none.
    /// @dev Not `_safeMint`: a receiving contract that reverts must not stop the others of its batch.
    function mint(Mint[] calldata mints) external {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        totalMinted += mints.length;
        if (supplyLimit != 0 && totalMinted > supplyLimit) revert SupplyLimitReached(supplyLimit);
        for (uint256 i = 0; i < mints.length; ++i) {
            _uris[mints[i].tokenId] = mints[i].uri;
            _mint(mints[i].to, mints[i].tokenId);
        }
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return _uris[tokenId];
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0) && to != address(0) && !transferable) revert NotTransferable(tokenId);
    }
}
