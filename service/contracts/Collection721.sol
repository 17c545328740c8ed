// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC721/ERC721Upgradeable.sol";
import {Collection} from "./Collection.sol";
import {IERC5192} from "./IERC5192.sol";

/// @title A collection of single tokens (ERC-721), used as a clone.
/// @notice Minting one id a second time reverts, so a mint that is repeated by mistake can never hand out two tokens.
contract Collection721 is ERC721Upgradeable, Collection, IERC5192 {
    /// @dev From ERC-4906, whose own interface drags in all of ERC-721 again.
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    function name() public view override(ERC721Upgradeable, Collection) returns (string memory) {
        return Collection.name();
    }

    function symbol() public view override(ERC721Upgradeable, Collection) returns (string memory) {
        return Collection.symbol();
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return _uris[tokenId];
    }

    /// @notice Who holds each of the tokens, all at one moment; the zero address where there is no token.
    function ownersOf(uint256[] calldata tokenIds) external view returns (address[] memory owners) {
        owners = new address[](tokenIds.length);
        for (uint256 i = 0; i < tokenIds.length; ++i) owners[i] = _ownerOf(tokenIds[i]);
    }

    function locked(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return !transferable();
    }

    function supportsInterface(bytes4 id) public view virtual override returns (bool) {
        if (id == type(IERC5192).interfaceId) return !transferable();
        // ERC-4906 defines events only and names its id.
        return id == bytes4(0x49064906) || super.supportsInterface(id);
    }

    /// @dev ERC-5192 would have an event for each token, which no transaction holds: whoever shows them is told to look.
    function _lockChanged() internal override {
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @dev Not `_safeMint`: a receiving contract that reverts must not stop the others of its batch.
    function _mintOne(Mint calldata one) internal virtual override {
        _uris[one.tokenId] = one.uri;
        _mint(one.to, one.tokenId);
        if (!transferable()) emit Locked(one.tokenId);
    }

    function _updateOne(uint256 tokenId, uint64) internal virtual override {
        _requireOwned(tokenId);
        emit MetadataUpdate(tokenId);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0) && !transferable()) revert NotTransferable(tokenId);
    }
}
